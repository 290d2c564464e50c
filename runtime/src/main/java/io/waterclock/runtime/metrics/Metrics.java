package io.waterclock.runtime.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.kafka.KafkaStreamsMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.waterclock.topology.scheduler.context.TaskReports;
import io.waterclock.topology.scheduler.context.TaskView;
import io.waterclock.topology.scheduler.count.Counts;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BooleanSupplier;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.processor.TaskId;

/**
 * The metrics of an instance, its own and those of Kafka Streams.
 *
 * <p>Idea: deciding does not know metrics. A task counts in its own plain fields. When a stream
 * thread has committed a transaction, the increases of its tasks are added to the counters of the
 * instance. So the counters show what readers of the topics see, and the counts of an aborted
 * transaction end with its task. The gauges of a task are updated once a second and removed with
 * the task.
 *
 * <p>Thread-safe.
 */
public final class Metrics implements TaskReports, AutoCloseable {
  /** The media type of {@link #scrape}. */
  public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  /** How soon the meters of new threads and tasks of Kafka Streams appear. */
  private static final Duration STREAMS_REFRESH = Duration.ofSeconds(10);

  private record Task(Thread thread, List<Carry> carries, TaskGauges gauges) {}

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Totals totals;
  private final InstantSource clock;
  private final Map<TaskId, Task> tasks = new ConcurrentHashMap<>();
  private final ScheduledExecutorService refresh =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread thread = new Thread(work, "waterclock-metrics");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * @param clock for the age of watermarks
   * @param ready whether every task of this instance decides
   * @param partitions the number that all instances share
   */
  public Metrics(InstantSource clock, BooleanSupplier ready, int partitions) {
    this.clock = clock;
    // the calendars' store, the only one in memory, has another label than the other stores, and
    // Prometheus would drop theirs: a metric must have the same labels in all series
    registry.config().meterFilter(MeterFilter.deny(id -> id.getTag("in.memory.state.id") != null));
    this.totals = new Totals(registry);
    Gauge.builder("waterclock.ready", () -> ready.getAsBoolean() ? 1 : 0)
        .description("1 when every task of this instance decides, as /ready says.")
        .register(registry);
    Gauge.builder("waterclock.partitions", () -> partitions)
        .description("Partitions that all instances share.")
        .register(registry);
  }

  /**
   * Adds the metrics of Kafka Streams, until this is closed.
   *
   * @return removes them
   */
  public Runnable bind(KafkaStreams streams) {
    KafkaStreamsMetrics meters =
        new KafkaStreamsMetrics(streams, Tags.empty(), refresh, STREAMS_REFRESH);
    meters.bindTo(registry);
    return meters::close;
  }

  /** The metrics of this instance's router; call this once, if there is a router. */
  public RouterMetrics ofRouter() {
    return new RouterMetrics(registry);
  }

  @Override
  public void assigned(TaskId task, TaskView view, Instant now) {
    revoked(task); // if its last thread has not called this
    Counts counts = view.counts();
    tasks.put(
        task,
        new Task(
            Thread.currentThread(),
            totals.carries(counts),
            new TaskGauges(registry, clock, task.partition(), view)));
  }

  @Override
  public void ticked(TaskId task, boolean gateOpen, Instant now) {
    Task known = tasks.get(task);
    if (known != null) {
      known.gauges().update(now);
    }
  }

  @Override
  public void revoked(TaskId task) {
    Task known = tasks.remove(task);
    if (known != null) {
      known.gauges().remove();
    }
  }

  /** The calling stream thread has committed a transaction. */
  public void committed() {
    Thread thread = Thread.currentThread();
    for (Task task : tasks.values()) {
      if (task.thread() == thread) {
        task.carries().forEach(Carry::run);
      }
    }
  }

  /** Every metric, in Prometheus' text format. */
  public String scrape() {
    return registry.scrape(CONTENT_TYPE);
  }

  @Override
  public void close() {
    refresh.shutdownNow();
    registry.close();
  }

  /** The value of a label for a constant. */
  public static String label(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
