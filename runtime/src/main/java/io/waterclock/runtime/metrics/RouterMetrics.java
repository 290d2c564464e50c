package io.waterclock.runtime.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.waterclock.runtime.router.RouteCounts;
import io.waterclock.runtime.router.RouterReports;
import io.waterclock.runtime.router.Undelivered;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import org.apache.kafka.streams.processor.TaskId;

/**
 * The metrics of an instance's router. As with the scheduler's counters, the increases of its tasks
 * are added when their thread has committed. Thread-safe.
 */
public final class RouterMetrics implements RouterReports {
  private record Total(ToLongFunction<RouteCounts> ofTask, Counter counter) {}

  private record Task(Thread thread, List<Carry> carries) {}

  private final List<Total> totals = new ArrayList<>();
  private final Map<TaskId, Task> tasks = new ConcurrentHashMap<>();

  RouterMetrics(MeterRegistry registry) {
    totals.add(
        new Total(
            RouteCounts::routedFires,
            Counter.builder("waterclock.routed")
                .description("Fires delivered to their targets.")
                .register(registry)));
    for (Undelivered reason : Undelivered.values()) {
      totals.add(
          new Total(
              counts -> counts.undeliveredFires(reason),
              Counter.builder("waterclock.undelivered")
                  .tags(Tags.of("reason", Metrics.label(reason)))
                  .description("Fires that went to the dead-letter topic instead.")
                  .register(registry)));
    }
  }

  @Override
  public void assigned(TaskId task, RouteCounts counts) {
    List<Carry> carries = new ArrayList<>();
    for (Total total : totals) {
      carries.add(new Carry(() -> total.ofTask().applyAsLong(counts), total.counter()::increment));
    }
    tasks.put(task, new Task(Thread.currentThread(), carries));
  }

  @Override
  public void revoked(TaskId task) {
    tasks.remove(task);
  }

  /** The calling stream thread of the router has committed a transaction. */
  public void committed() {
    Thread thread = Thread.currentThread();
    for (Task task : tasks.values()) {
      if (task.thread() == thread) {
        task.carries().forEach(Carry::run);
      }
    }
  }
}
