package io.waterclock.runtime.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.waterclock.runtime.router.RouteCounts;
import io.waterclock.runtime.router.RouterReports;
import io.waterclock.runtime.router.Undelivered;
import org.apache.kafka.streams.processor.TaskId;

/** The metrics of an instance's router. Thread-safe. */
public final class RouterMetrics implements RouterReports {
  private final Totals<RouteCounts> totals;

  RouterMetrics(MeterRegistry registry) {
    this.totals = new Totals<>(registry);
    totals.add("routed", "Fires delivered to their targets.", RouteCounts::routedFires);
    totals.addEach(
        "undelivered",
        "reason",
        Undelivered.values(),
        "Fires that went to the dead-letter topic instead.",
        RouteCounts::undeliveredFires);
  }

  @Override
  public void assigned(TaskId task, RouteCounts counts) {
    totals.assigned(task, counts);
  }

  @Override
  public void revoked(TaskId task) {
    totals.revoked(task);
  }

  /** The calling stream thread of the router has committed a transaction. */
  public void committed() {
    totals.committed();
  }
}
