package io.waterclock.sim.node;

import io.waterclock.runtime.clients.OtherPartitions;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.sim.broker.LogRecord;
import io.waterclock.sim.broker.PartitionLog;
import io.waterclock.sim.broker.Place;
import io.waterclock.topology.scheduler.admit.CalendarFeed;
import io.waterclock.topology.scheduler.context.ApplicationContext;
import io.waterclock.topology.scheduler.context.Gate;
import io.waterclock.topology.scheduler.context.Reading;
import io.waterclock.topology.scheduler.context.RecordDeaths;
import io.waterclock.topology.scheduler.context.TargetTopic;
import io.waterclock.topology.scheduler.context.TaskReports;
import io.waterclock.topology.scheduler.context.TaskView;
import io.waterclock.topology.scheduler.task.SchedulerTopology;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.Processor;

/** The scheduler in one life of a process. */
final class SchedulerApplication extends DecidingApplication {
  private final Map<Integer, TaskState> disk;
  private final Supplier<Processor<byte[], byte[], byte[], Object>> processors;
  private Optional<Supplier<Gate>> initialising = Optional.empty();

  /**
   * @param disk of the process: its tasks take their state from it, and put it back
   */
  SchedulerApplication(
      TaskEnvironment environment, NodeClock clock, String prefix, Map<Integer, TaskState> disk) {
    super(environment, clock, prefix, OtherPartitions::new);
    this.disk = disk;
    this.processors =
        SchedulerTopology.processors(
            environment.settings(), context(), new CalendarFeed(), clock::nanos);
  }

  private ApplicationContext context() {
    return new ApplicationContext(
        clock,
        clock.guard(),
        new ApplicationContext.Brokers(
            task -> initialising.orElseThrow().get(),
            partition -> CompletableFuture.completedFuture(defined(partition)),
            (topic, asOf) ->
                new TargetTopic.Present(TaskEnvironment.MOST_BYTES, Integer.MAX_VALUE)),
        new TaskReports() {
          @Override
          public void assigned(TaskId task, TaskView view, Instant now) {}

          @Override
          public void ticked(TaskId task, Reading reading, Instant now) {
            isOpen(task.partition(), reading.problem().isEmpty());
          }

          @Override
          public void revoked(TaskId task) {
            isOpen(task.partition(), false);
          }
        },
        ApplicationContext.Incoming.of(clock, RecordDeaths.none()));
  }

  private Set<ScheduleId> defined(int partition) {
    Place place = new Place(environment.settings().channels().topics().schedules(), partition);
    PartitionLog log = environment.broker().log(place);
    Map<String, Boolean> last = new HashMap<>();
    long from = log.start();
    while (from < log.lastStable()) {
      PartitionLog.Fetched fetched = log.fetch(from, 1_000);
      for (LogRecord record : fetched.records()) {
        last.put(record.keyText(), record.value().isPresent());
      }
      from = fetched.next();
    }
    Set<ScheduleId> defined = new HashSet<>();
    last.forEach(
        (id, isDefined) -> {
          if (isDefined) {
            defined.add(ScheduleId.parse(id));
          }
        });
    return defined;
  }

  @Override
  public String group() {
    return TaskEnvironment.GROUP;
  }

  @Override
  public long commitIntervalMs() {
    return 1_000;
  }

  @Override
  public StreamTask open(int partition, StreamTask.Host thread) {
    return new SchedulerTask(
        thread,
        this::processor,
        partition,
        Optional.ofNullable(disk.remove(partition)),
        state -> disk.put(partition, state));
  }

  /** A processor whose gate is made by the function. */
  private Processor<byte[], byte[], byte[], Object> processor(
      Function<OtherPartitions, Gate> gate) {
    initialising = Optional.of(() -> gate.apply(others));
    return processors.get();
  }
}
