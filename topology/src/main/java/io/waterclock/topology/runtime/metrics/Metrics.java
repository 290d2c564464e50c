package io.waterclock.topology.runtime.metrics;

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
 * <p>Idea: deciding knows nothing of this. A task counts in plain fields of its own; when a stream
 * thread has committed a transaction, what its tasks have counted since the last one is added to
 * the counters of the instance. So counters hold what readers of the topics can see, and what an
 * aborted transaction had counted goes with its task, to be counted when it is decided again. The
 * gauges of a task are taken once a second and go with the task.
 *
 * <p>Thread-safe.
 */
public final class Metrics implements TaskReports, AutoCloseable {
  /** Of what {@link #scrape} returns. */
  public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  /** How soon the meters of new threads and tasks of Kafka Streams are there. */
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
   * @param clock by which the age of watermarks is told
   * @param ready whether every task of this instance decides
   * @param partitions how many partitions all instances share
   */
  public Metrics(InstantSource clock, BooleanSupplier ready, int partitions) {
    this.clock = clock;
    // the calendars' store, the only one in memory, has another label than the others: Prometheus
    // takes no metric that has now this label and now that, and would miss theirs
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
   * Tells the metrics of Kafka Streams too, until this is closed.
   *
   * @return takes them back
   */
  public Runnable bind(KafkaStreams streams) {
    KafkaStreamsMetrics meters =
        new KafkaStreamsMetrics(streams, Tags.empty(), refresh, STREAMS_REFRESH);
    meters.bindTo(registry);
    return meters::close;
  }

  /** Those of the router in this instance; to be asked for once, if there is one. */
  public RouterMetrics ofRouter() {
    return new RouterMetrics(registry);
  }

  @Override
  public void assigned(TaskId task, TaskView standing, Instant now) {
    revoked(task); // should its last thread not have said so
    Counts counts = standing.counts();
    tasks.put(
        task,
        new Task(
            Thread.currentThread(),
            totals.carries(counts),
            new TaskGauges(registry, clock, task.partition(), standing)));
  }

  @Override
  public void ticked(TaskId task, boolean gateOpen, Instant now) {
    Task known = tasks.get(task);
    if (known != null) {
      known.gauges().look(now);
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

  /** How a label tells a value. */
  public static String label(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
