package io.waterclock.sim.node;

import io.waterclock.runtime.router.Refusals;
import io.waterclock.runtime.router.RouteCounts;
import io.waterclock.runtime.router.RouterTopology;
import io.waterclock.runtime.router.Routing;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.topology.scheduler.context.TargetTopic;
import io.waterclock.topology.scheduler.count.CountReports;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.Processor;

/** The router in one life of a process. */
final class SimulatedRouter implements Application {
  private final String prefix;
  private final Supplier<Processor<byte[], byte[], byte[], Object>> processors;

  SimulatedRouter(TaskEnvironment environment, NodeClock clock, String prefix) {
    this.prefix = prefix;
    this.processors =
        RouterTopology.processors(
            new Routing(
                environment.settings().channels().targets(),
                (topic, asOf) ->
                    environment.hasTarget().getAsBoolean()
                        ? new TargetTopic.Present(TaskEnvironment.MOST_BYTES, Integer.MAX_VALUE)
                        : new TargetTopic.Missing(),
                new Refusals(clock, () -> false, topic -> {}),
                SchemaSource.none(),
                clock),
            new CountReports<RouteCounts>() {
              @Override
              public void assigned(TaskId task, RouteCounts counts) {}

              @Override
              public void revoked(TaskId task) {}
            },
            TaskEnvironment.MOST_BYTES);
  }

  @Override
  public String group() {
    return TaskEnvironment.ROUTERS;
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
    return new RouterTask(thread, processors, partition);
  }

  @Override
  public long wakeMs(long tasksWakeMs) {
    return tasksWakeMs;
  }
}
