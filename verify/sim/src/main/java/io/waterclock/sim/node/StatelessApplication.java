package io.waterclock.sim.node;

import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.Topics;
import io.waterclock.sim.broker.Message;
import io.waterclock.sim.broker.PartitionLog;
import io.waterclock.sim.broker.Place;
import io.waterclock.topology.intake.IntakeTopology;
import io.waterclock.topology.router.Refusals;
import io.waterclock.topology.router.Routed;
import io.waterclock.topology.router.RouterTopology;
import io.waterclock.topology.router.Routing;
import io.waterclock.topology.scheduler.context.TargetTopic;
import io.waterclock.topology.scheduler.count.CountReports;
import io.waterclock.topology.scheduler.emit.Addressed;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/** An application whose tasks read one topic and keep no state, in one life of a process. */
final class StatelessApplication implements Application {
  private static final TargetTopic PRESENT =
      new TargetTopic.Present(TaskEnvironment.MOST_BYTES, Integer.MAX_VALUE);

  private final String group;
  private final String prefix;
  private final String input;
  private final Supplier<Processor<byte[], byte[], byte[], Object>> processors;
  private final LongSupplier beginsMs;

  /**
   * @param beginsMs the timestamp from which a task reads a partition without a committed offset
   */
  private StatelessApplication(
      String group,
      String prefix,
      String input,
      Supplier<Processor<byte[], byte[], byte[], Object>> processors,
      LongSupplier beginsMs) {
    this.group = group;
    this.prefix = prefix;
    this.input = input;
    this.processors = processors;
    this.beginsMs = beginsMs;
  }

  static StatelessApplication router(TaskEnvironment environment, NodeClock clock, String prefix) {
    return new StatelessApplication(
        TaskEnvironment.ROUTERS,
        prefix,
        environment.settings().channels().topics().fires(),
        RouterTopology.processors(
            new Routing(
                environment.settings().channels().targets(),
                (topic, asOf) ->
                    environment.hasTarget().getAsBoolean() ? PRESENT : new TargetTopic.Missing(),
                new Refusals(clock, () -> false, topic -> {}),
                SchemaSource.none(),
                clock),
            unread(),
            TaskEnvironment.MOST_BYTES),
        () -> environment.now().getAsLong() - RouterTopology.MOST_AGAIN.toMillis());
  }

  static StatelessApplication intake(TaskEnvironment environment, NodeClock clock, String prefix) {
    return new StatelessApplication(
        TaskEnvironment.INTAKES,
        prefix,
        environment.settings().channels().topics().later(),
        IntakeTopology.processors(
            environment.settings(), (topic, asOf) -> PRESENT, unread(), clock),
        () -> 0);
  }

  /** Counts that nothing reads. */
  private static <C> CountReports<C> unread() {
    return new CountReports<>() {
      @Override
      public void assigned(TaskId task, C counts) {}

      @Override
      public void revoked(TaskId task) {}
    };
  }

  @Override
  public String group() {
    return group;
  }

  @Override
  public String prefix() {
    return prefix;
  }

  @Override
  public List<String> producers() {
    return List.of(prefix);
  }

  @Override
  public long commitIntervalMs() {
    return 100;
  }

  @Override
  public StreamTask open(int partition, StreamTask.Host thread) {
    return new Task(thread, partition);
  }

  @Override
  public long wakeMs(long tasksWakeMs) {
    return tasksWakeMs;
  }

  private final class Task extends StreamTask {
    Task(StreamTask.Host thread, int partition) {
      super(thread, group, List.of(input), partition);
    }

    @Override
    boolean restoreSome() {
      return true;
    }

    @Override
    ToLongFunction<PartitionLog> reset() {
      return log -> log.firstSince(beginsMs.getAsLong());
    }

    @Override
    Processor<byte[], byte[], byte[], Object> newProcessor() {
      return processors.get();
    }

    @Override
    void punctuate() {
      idleFor(Duration.ofMillis(Long.MAX_VALUE)); // it only reads
    }

    @Override
    public LoggedStore store(String name) {
      throw new IllegalArgumentException(group + " has no store " + name);
    }

    @Override
    public void send(Record<?, ?> record, String child) {
      byte[] key = record.key() instanceof byte[] given ? given : new byte[0];
      Topics topics = environment.settings().channels().topics();
      int home = HomePartition.of(key, environment.settings().channels().partitions());
      Place place;
      byte @Nullable [] value;
      if (record.value() instanceof Routed routed) {
        place = new Place(routed.topic(), routed.partition().orElse(home));
        value = routed.value();
      } else if (record.value() instanceof Addressed answer) {
        place = new Place(topics.answers(), answer.partition());
        value = answer.value();
      } else {
        place = new Place(child.equals("to-schedules") ? topics.schedules() : topics.dlq(), home);
        value = (byte[]) record.value();
      }
      Message message =
          new Message(key, value, new RecordHeaders(record.headers()), record.timestamp());
      for (Message sent : environment.fault().route(place, message)) {
        thread.append(place, sent);
      }
    }
  }
}
