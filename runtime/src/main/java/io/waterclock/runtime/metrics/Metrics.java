package io.waterclock.runtime.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.kafka.KafkaStreamsMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.schemas.threads.DaemonThreads;
import io.waterclock.topology.intake.IntakeCounts;
import io.waterclock.topology.intake.LaterOutcome;
import io.waterclock.topology.router.RouteCounts;
import io.waterclock.topology.router.Undelivered;
import io.waterclock.topology.scheduler.context.Reading;
import io.waterclock.topology.scheduler.context.TaskReports;
import io.waterclock.topology.scheduler.context.TaskView;
import io.waterclock.topology.scheduler.count.Counts;
import io.waterclock.topology.scheduler.count.WatchdogAction;
import io.waterclock.topology.scheduler.input.InputTopic;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongBiFunction;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.processor.TaskId;
import org.slf4j.Logger;

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
  private static final Logger LOG = SafeLogger.of(Metrics.class);

  /** The media type of {@link #scrape}. */
  public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  /** How soon the meters of new threads and tasks of Kafka Streams appear. */
  private static final Duration STREAMS_REFRESH = Duration.ofSeconds(10);

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Totals<Counts> totals = new Totals<>(registry);
  private final InstantSource clock;
  private final Map<TaskId, TaskGauges> tasks = new ConcurrentHashMap<>();
  private final Set<ScheduledExecutorService> refreshing = ConcurrentHashMap.newKeySet();

  /**
   * @param ready whether this instance is ready
   * @param partitions the number that all instances share
   */
  public Metrics(InstantSource clock, BooleanSupplier ready, int partitions) {
    this.clock = clock;
    // the calendars' store, the only one in memory, has another label than the other stores, and
    // Prometheus would drop theirs: a metric must have the same labels in all series
    registry.config().meterFilter(MeterFilter.deny(id -> id.getTag("in.memory.state.id") != null));
    addTotals();
    Gauge.builder("waterclock.ready", () -> ready.getAsBoolean() ? 1 : 0)
        .description("1 when this instance is ready, as /ready says: each of its tasks works.")
        .register(registry);
    Gauge.builder("waterclock.partitions", () -> partitions)
        .description("Partitions that all instances share.")
        .register(registry);
  }

  private void addTotals() {
    totals.addEach(
        "fires", "cause", Cause.values(), "Fires.", (counts, cause) -> counts.fired(cause).count());
    totals.addEach(
        "missed",
        "reason",
        MissedReason.values(),
        "Missed occurrences; a range counts each of them.",
        Counts::missed);
    totals.addEach(
        "rejected", "input", InputTopic.values(), "Invalid records.", Counts::rejectedFrom);
    InputTopic[] counted = {InputTopic.SCHEDULES, InputTopic.COMMANDS, InputTopic.OUTCOMES};
    totals.addEach("accepted", "input", counted, "Valid records.", Counts::acceptedFrom);
    totals.addEach(
        "outcomes",
        "state",
        OutcomeState.values(),
        "Outcomes that workers reported.",
        Counts::outcomes);
    totals.add("outcomes.ignored", "Valid outcomes that changed nothing.", Counts::outcomesIgnored);
    totals.add(
        "set.aside",
        "Records set aside unread, after deaths of threads or by an administrator.",
        Counts::recordsSetAside);
    totals.add("faulted", "Times that a schedule became FAULTED.", Counts::faulted);
    totals.add("watchdog.checked", "Schedules that the watchdog has checked.", Counts::checked);
    totals.add("repaired", "Queue entries that the watchdog has repaired.", Counts::repaired);
    totals.addEach(
        "watchdog",
        "action",
        WatchdogAction.values(),
        "Actions of the watchdog.",
        Counts::watchdog);
    addOfEachOwner("fires.bytes", "Bytes of fires.", Counts::fireBytes);
    addOfEachOwner(
        "fires.postponed",
        "Times that a schedule had to wait, since the fires of its owner took too many bytes.",
        Counts::postponedOf);
    LatenessHistogram lateness = new LatenessHistogram();
    totals.add(lateness::carries);
    registry.getPrometheusRegistry().register(lateness);
  }

  private void addOfEachOwner(String name, String help, ToLongBiFunction<Counts, String> ofOwner) {
    totals.add(
        counts ->
            counts.owners().stream()
                .map(
                    owner -> {
                      Counter counter =
                          Counter.builder("waterclock." + name)
                              .tag("owner", owner)
                              .description(help)
                              .register(registry);
                      return new Totals.Carry(
                          () -> ofOwner.applyAsLong(counts, owner), counter::increment);
                    }));
  }

  /**
   * Adds the metrics of Kafka Streams, until this is closed.
   *
   * @return removes them
   */
  public Runnable bind(KafkaStreams streams) {
    ScheduledExecutorService refresh =
        Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("waterclock-metrics"));
    refreshing.add(refresh);
    KafkaStreamsMetrics meters = meters(streams, refresh);
    meters.bindTo(registry);
    return () -> {
      refresh.shutdownNow(); // Micrometer would go on with it, and so keep the ended application
      refreshing.remove(refresh);
      meters.close();
    };
  }

  /**
   * Before Micrometer 1.16, which an embedding service may have, it chooses the interval itself.
   */
  private static KafkaStreamsMetrics meters(
      KafkaStreams streams, ScheduledExecutorService refresh) {
    try {
      return new KafkaStreamsMetrics(streams, Tags.empty(), refresh, STREAMS_REFRESH);
    } catch (NoSuchMethodError e) {
      return new KafkaStreamsMetrics(streams, Tags.empty(), refresh);
    }
  }

  /** The metrics of this instance's router; call this once, if there is a router. */
  public Totals<RouteCounts> ofRouter() {
    Totals<RouteCounts> totals = new Totals<>(registry);
    totals.add("routed", "Fires delivered to their targets.", RouteCounts::routedFires);
    totals.addEach(
        "undelivered",
        "reason",
        Undelivered.values(),
        "Fires that went to the dead-letter topic instead.",
        RouteCounts::undeliveredFires);
    return totals;
  }

  /** The metrics of this instance's limiter; call this once, if there is a limiter. */
  public LimiterMetrics ofLimiter() {
    return new LimiterMetrics(registry);
  }

  /** The metrics of this instance's intake; call this once, if there is an intake. */
  public Totals<IntakeCounts> ofIntake() {
    Totals<IntakeCounts> totals = new Totals<>(registry);
    totals.addEach(
        "later",
        "outcome",
        LaterOutcome.values(),
        "Records of the topic later that were read.",
        IntakeCounts::records);
    return totals;
  }

  @Override
  public void assigned(TaskId task, TaskView view, Instant now) {
    revoked(task); // if its last thread has not called this
    LOG.info("Partition {}: this instance owns it now", task.partition());
    totals.assigned(task, view.counts());
    tasks.put(task, new TaskGauges(registry, clock, task.partition(), view));
  }

  @Override
  public void ticked(TaskId task, Reading reading, Instant now) {
    Optional.ofNullable(tasks.get(task)).ifPresent(gauges -> gauges.update(reading, now));
  }

  @Override
  public void revoked(TaskId task) {
    totals.revoked(task);
    TaskGauges gauges = tasks.remove(task);
    if (gauges != null) {
      LOG.info("Partition {}: this instance gives it up", task.partition());
      gauges.remove();
    }
  }

  /** The calling stream thread has committed a transaction. */
  public void committed() {
    totals.committed();
  }

  /** Every metric, in Prometheus' text format. */
  public String scrape() {
    return registry.scrape(CONTENT_TYPE);
  }

  @Override
  public void close() {
    refreshing.forEach(ScheduledExecutorService::shutdownNow);
    registry.close();
  }
}
