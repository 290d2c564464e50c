package io.waterclock.runtime.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.waterclock.topology.limiter.LimiterCounts;
import io.waterclock.topology.scheduler.count.CountReports;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import org.apache.kafka.streams.processor.TaskId;

/** The metrics of an instance's limiter. Thread-safe. */
public final class LimiterMetrics implements CountReports<LimiterCounts> {
  private final Totals<LimiterCounts> totals;
  private final Map<TaskId, LimiterCounts> tasks = new ConcurrentHashMap<>();

  LimiterMetrics(MeterRegistry registry) {
    this.totals = new Totals<>(registry);
    totals.add("limit.started", "Fires with a limit that have started.", LimiterCounts::starts);
    totals.add(
        "limit.withdrawn",
        "Fires that were withdrawn while they waited for a limit, or had expired.",
        LimiterCounts::withdrawals);
    totals.add(
        "limit.timeouts",
        "Fires that counted as running until their time was up.",
        LimiterCounts::timeouts);
    gauge(registry, "waiting", "Fires that wait for a limit.", LimiterCounts::waiting);
    gauge(registry, "running", "Fires that count as running.", LimiterCounts::running);
  }

  private void gauge(
      MeterRegistry registry, String name, String help, ToLongFunction<LimiterCounts> count) {
    Gauge.builder(
            "waterclock.limit." + name, tasks, all -> all.values().stream().mapToLong(count).sum())
        .description(help)
        .register(registry);
  }

  @Override
  public void assigned(TaskId task, LimiterCounts counts) {
    totals.assigned(task, counts);
    tasks.put(task, counts);
  }

  @Override
  public void revoked(TaskId task) {
    totals.revoked(task);
    tasks.remove(task);
  }

  /** The calling stream thread has committed a transaction. */
  public void committed() {
    totals.committed();
  }
}
