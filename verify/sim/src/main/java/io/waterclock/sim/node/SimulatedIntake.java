package io.waterclock.sim.node;

import io.waterclock.runtime.intake.IntakeCounts;
import io.waterclock.runtime.intake.IntakeTopology;
import io.waterclock.topology.scheduler.context.TargetTopic;
import io.waterclock.topology.scheduler.count.CountReports;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.Processor;

/** The intake in one life of a process. */
final class SimulatedIntake implements Application {
  private final String prefix;
  private final Supplier<Processor<byte[], byte[], byte[], Object>> processors;

  SimulatedIntake(TaskEnvironment environment, NodeClock clock, String prefix) {
    this.prefix = prefix;
    this.processors =
        IntakeTopology.processors(
            environment.settings(),
            (topic, asOf) -> new TargetTopic.Present(TaskEnvironment.MOST_BYTES, Integer.MAX_VALUE),
            new CountReports<IntakeCounts>() {
              @Override
              public void assigned(TaskId task, IntakeCounts counts) {}

              @Override
              public void revoked(TaskId task) {}
            },
            clock);
  }

  @Override
  public String group() {
    return TaskEnvironment.INTAKES;
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
    return new IntakeTask(thread, processors, partition);
  }

  @Override
  public long wakeMs(long tasksWakeMs) {
    return tasksWakeMs;
  }
}
