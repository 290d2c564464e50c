package io.waterclock.sim.node;

import io.waterclock.runtime.clients.OtherPartitions;
import io.waterclock.sim.broker.LogRecord;
import io.waterclock.sim.broker.PartitionLog;
import io.waterclock.sim.broker.Place;
import io.waterclock.topology.limiter.LimitFeed;
import io.waterclock.topology.limiter.LimiterCounts;
import io.waterclock.topology.limiter.LimiterTopology;
import io.waterclock.topology.scheduler.context.Gate;
import io.waterclock.topology.scheduler.count.CountReports;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.Processor;

/**
 * The limiter in one life of a process. It reads all limits before a task begins. The disk is lost
 * with the process: a task restores all of its state.
 */
final class SimulatedLimiter extends DecidingApplication {
  private final LimitFeed limits = new LimitFeed();
  private final Processor<byte[], byte[], Void, Void> reader;
  private final Supplier<Processor<byte[], byte[], byte[], Object>> processors;
  private Optional<TaskProcessorContext<Void, Void>> reading = Optional.empty();
  private Optional<StreamTask> initialising = Optional.empty();
  private long position;

  SimulatedLimiter(TaskEnvironment environment, NodeClock clock, String prefix) {
    super(environment, clock, prefix, OtherPartitions::ofScheduler);
    this.reader = LimiterTopology.reader(environment.settings(), limits, clock);
    this.processors =
        LimiterTopology.processors(
            environment.settings(),
            limits,
            new LimiterTopology.Guards(
                clock.guard(), task -> gate(initialising.orElseThrow()), clock::nanos),
            new CountReports<LimiterCounts>() {
              @Override
              public void assigned(TaskId task, LimiterCounts counts) {}

              @Override
              public void revoked(TaskId task) {
                isOpen(task.partition(), false);
              }
            },
            clock);
  }

  /** A gate that says when it is open. */
  private Gate gate(StreamTask task) {
    return new SimulatedGate(
        task,
        clock,
        environment,
        List.of(environment.settings().channels().topics().waiting()),
        others) {
      @Override
      public boolean isOpen() {
        boolean isOpen = super.isOpen();
        SimulatedLimiter.this.isOpen(task.partition(), isOpen);
        return isOpen;
      }
    };
  }

  /** Reads what the topic of limits has got. */
  private void read(TaskProcessorContext.Inside task) {
    Place place = new Place(environment.settings().channels().topics().limits(), 0);
    PartitionLog log = environment.broker().log(place);
    TaskProcessorContext<Void, Void> context =
        reading.orElseGet(() -> new TaskProcessorContext<>(task));
    if (reading.isEmpty()) {
      reading = Optional.of(context);
      reader.init(context);
    }
    position = Math.max(position, log.start());
    while (log.lastStable() > position) {
      PartitionLog.Fetched found = log.fetch(position, 100);
      for (LogRecord record : found.records()) {
        environment
            .fault()
            .read(place, record)
            .ifPresent(read -> context.process(reader, place, read));
      }
      position = found.next();
    }
  }

  @Override
  public String group() {
    return TaskEnvironment.LIMITERS;
  }

  @Override
  public long commitIntervalMs() {
    return 100;
  }

  @Override
  public StreamTask open(int partition, StreamTask.Host thread) {
    return new Task(thread, partition);
  }

  private final class Task extends StreamTask {
    private final LoggedStores stores;

    Task(StreamTask.Host thread, int partition) {
      super(
          thread,
          TaskEnvironment.LIMITERS,
          List.of(thread.environment().settings().channels().topics().waiting()),
          partition);
      this.stores = new LoggedStores(thread, partition, List.of(LimiterTopology.STORE));
    }

    @Override
    boolean restoreSome() {
      return stores.restoreSome();
    }

    @Override
    ToLongFunction<PartitionLog> reset() {
      return PartitionLog::start;
    }

    @Override
    Processor<byte[], byte[], byte[], Object> newProcessor() {
      initialising = Optional.of(this);
      read(this);
      return processors.get();
    }

    @Override
    void punctuate() {
      read(this);
      super.punctuate();
    }

    @Override
    public LoggedStore store(String name) {
      return stores.get(name);
    }
  }
}
