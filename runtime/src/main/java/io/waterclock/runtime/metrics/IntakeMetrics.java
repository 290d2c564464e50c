package io.waterclock.runtime.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.waterclock.runtime.intake.IntakeCounts;
import io.waterclock.runtime.intake.IntakeReports;
import io.waterclock.runtime.intake.LaterOutcome;
import org.apache.kafka.streams.processor.TaskId;

/** The metrics of an instance's intake. Thread-safe. */
public final class IntakeMetrics implements IntakeReports {
  private final Totals<IntakeCounts> totals;

  IntakeMetrics(MeterRegistry registry) {
    this.totals = new Totals<>(registry);
    totals.addEach(
        "later",
        "outcome",
        LaterOutcome.values(),
        "Records of the topic later that were read.",
        IntakeCounts::records);
  }

  @Override
  public void assigned(TaskId task, IntakeCounts counts) {
    totals.assigned(task, counts);
  }

  @Override
  public void revoked(TaskId task) {
    totals.revoked(task);
  }

  /** The calling stream thread of the intake has committed a transaction. */
  public void committed() {
    totals.committed();
  }
}
