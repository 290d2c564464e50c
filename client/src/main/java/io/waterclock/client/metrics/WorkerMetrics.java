package io.waterclock.client.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.waterclock.client.rules.DropReason;
import io.waterclock.client.worker.WorkerListener;
import io.waterclock.client.worker.WorkerStatus;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.OutcomeState;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * The metrics of a worker in Micrometer, and of the next one when it has ended.
 *
 * <pre>{@code
 * FireWorker.builder("localhost:9092", "reports").listener(new WorkerMetrics(registry))
 * }</pre>
 *
 * <p>All meters have the tag {@code group}. Workers of one group in one registry share the counters
 * and timers; each has its own gauges, by the tag {@code worker}, until it ends. Thread-safe.
 */
public final class WorkerMetrics implements WorkerListener {
  private static final String NAME = "waterclock.worker.";

  private final MeterRegistry registry;
  private Tags group = Tags.empty();
  private List<Meter> gauges = List.of();
  private Optional<WorkerView> owner = Optional.empty();

  /**
   * @param registry where the meters are; several workers may share it
   */
  public WorkerMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  /**
   * @throws IllegalStateException if these are the metrics of another worker that has not ended
   */
  @Override
  public synchronized void onStart(WorkerView worker) {
    if (owner.map(WorkerView::status).filter(status -> !isEnd(status)).isPresent()) {
      throw new IllegalStateException(
          "this WorkerMetrics belongs to a worker already: make a new one for each worker that runs"
              + " at the same time");
    }
    owner = Optional.of(worker);
    group = Tags.of("group", worker.groupId());
    gauges =
        List.of(
            gauge("lag", "unfinished records of the worker's partitions", worker, WorkerView::lag),
            gauge("backlog", "fires that wait in the worker", worker, WorkerView::backlog),
            gauge(
                "running",
                "1 if the worker is RUNNING, else 0",
                worker,
                each -> each.status().state() == WorkerStatus.State.RUNNING ? 1 : 0));
  }

  private Gauge gauge(
      String name, String text, WorkerView worker, ToDoubleFunction<WorkerView> value) {
    return Gauge.builder(NAME + name, worker, value)
        .description(text)
        .tags(group.and("worker", Integer.toHexString(System.identityHashCode(worker))))
        .register(registry);
  }

  /** Another worker, which was refused, may have the status. */
  @Override
  public synchronized void onStatus(WorkerStatus status) {
    if (owner.map(WorkerView::status).filter(WorkerMetrics::isEnd).isPresent()) {
      gauges.forEach(registry::remove);
    }
  }

  private static boolean isEnd(WorkerStatus status) {
    return status.state() == WorkerStatus.State.STOPPED
        || status.state() == WorkerStatus.State.FAILED;
  }

  /** The time between an occurrence and its first attempt, and the time of all attempts. */
  @Override
  public void onOutcome(Fire fire, Outcome outcome) {
    if (outcome.getState() == OutcomeState.STARTED) {
      if (outcome.getAttempt() == 1) {
        timer("delay", tags()).record(Duration.between(fire.getDue(), outcome.getStartedAt()));
      }
      return;
    }
    if (outcome.getStartedAt() != null && outcome.getEndedAt() != null) {
      String state = outcome.getState().name().toLowerCase(Locale.ROOT);
      timer("run", tags().and("outcome", state))
          .record(Duration.between(outcome.getStartedAt(), outcome.getEndedAt()));
    }
    if (outcome.getState() == OutcomeState.DROPPED) {
      count("drops", tags().and("reason", reason(outcome.getReason())));
    }
  }

  /** A handler may give any reason; each value of a tag costs memory. */
  private static String reason(String reason) {
    return Arrays.stream(DropReason.values())
        .map(Enum::name)
        .filter(name -> name.equals(reason))
        .findFirst()
        .orElse("OTHER");
  }

  @Override
  public void onRetry(Fire fire, int attempt, Throwable failure) {
    count("retries", tags());
  }

  @Override
  public void onWait(Fire fire, int attempt, Instant until, Throwable failure) {
    count("waits", tags());
  }

  @Override
  public void onDeadLetter() {
    count("dead.letters", tags());
  }

  @Override
  public void onUnhandled(Fire fire) {
    count("unhandled", tags());
  }

  /** An {@code Iterable}: Micrometer before 1.16, as of Spring Boot 3.5, takes no {@code Tags}. */
  private Timer timer(String name, Iterable<Tag> tags) {
    return registry.timer(NAME + name, tags);
  }

  private void count(String name, Iterable<Tag> tags) {
    registry.counter(NAME + name, tags).increment();
  }

  private synchronized Tags tags() {
    return group;
  }
}
