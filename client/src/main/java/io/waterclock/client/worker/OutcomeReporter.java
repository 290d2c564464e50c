package io.waterclock.client.worker;

import io.waterclock.client.retry.FailureText;
import io.waterclock.client.rules.BufferedFire;
import io.waterclock.client.worker.brokers.Outbox;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.log.SafeLogger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.AuthorizationException;
import org.slf4j.Logger;

/**
 * Reports the outcomes of fires to the listener and, if the fire or the worker's configuration asks
 * for it, to the outcomes topic; the outcome of a backfill's fire only for a limit. If an outcome
 * cannot be written, the reporter logs it and gives up; the scheduler then counts the fire as ended
 * after its timeout. Without the right to write to the topic it reports only what fires ask for,
 * and says so once. Thread-safe.
 */
final class OutcomeReporter {
  private static final Logger LOG = SafeLogger.of(OutcomeReporter.class);

  /** The headers of a schedule that carry a trace, by the W3C; an outcome belongs to it, too. */
  private static final List<String> TRACE = List.of("traceparent", "tracestate");

  private static final int LONGEST_WORKER = 255;

  private final Outbox outbox;
  private final String topic;
  private final String worker;
  private final Reporting reporting;
  private final Optional<WorkerListener> listener;
  private final AtomicBoolean forbidden = new AtomicBoolean();

  /**
   * @param topic of the outcomes
   * @param worker its name in the outcomes
   */
  OutcomeReporter(
      Outbox outbox,
      String topic,
      String worker,
      Reporting reporting,
      Optional<WorkerListener> listener) {
    this.outbox = outbox;
    this.topic = topic;
    this.worker = FailureText.cut(worker, LONGEST_WORKER);
    this.reporting = reporting;
    this.listener = listener;
  }

  /** True if the listener or a reader of the topic wants the result of a fire that has run. */
  boolean isWanted(Fire fire) {
    return listener.isPresent() || isReported(fire, OutcomeState.SUCCEEDED, true);
  }

  /**
   * A backfill's fires have the keys of the original fires, so the scheduler would confuse their
   * outcomes. One whose limit waits for its end is reported with a header that says what it is.
   */
  private boolean isReported(Fire fire, OutcomeState state, boolean hasRun) {
    if (fire.getCause() == Cause.BACKFILL) {
      return fire.getWantsOutcome() && fire.getSchedule().getLimit() != null;
    }
    return fire.getWantsOutcome()
        || (!forbidden.get()
            && (reporting == Reporting.ALL
                || (reporting == Reporting.RESULTS && isResult(state, hasRun))));
  }

  private static boolean isResult(OutcomeState state, boolean hasRun) {
    return switch (state) {
      case SUCCEEDED, FAILED -> true;
      case DROPPED -> hasRun;
      case STARTED -> false;
    };
  }

  /**
   * Reports an outcome, and runs {@code then} once it is written or given up; at once if it is not
   * written.
   *
   * @param more sets the other fields of the outcome
   */
  void report(
      BufferedFire<HandledRecord> work, OutcomeState state, Consumer<Outcome> more, Runnable then) {
    Fire fire = work.fire();
    boolean isReported = isReported(fire, state, work.startedAt().isPresent());
    if (!isReported && listener.isEmpty()) {
      then.run();
      return;
    }
    Outcome outcome =
        Outcome.newBuilder()
            .setFireId(fire.getFireId())
            .setFireKey(work.attachment().fireKey())
            .setState(state)
            .setAttempt(Math.max(1, work.attempt()))
            .setWorker(worker)
            .build();
    more.accept(outcome);
    listener.ifPresent(watching -> watching.onOutcome(fire, outcome));
    if (isReported) {
      send(fire, outcome, then);
    } else {
      then.run();
    }
  }

  private void send(Fire fire, Outcome outcome, Runnable then) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(
            topic,
            fire.getScheduleId().getBytes(StandardCharsets.UTF_8),
            RecordCodecs.outcome().encode(outcome, WireFormat.AVRO));
    if (fire.getCause() == Cause.BACKFILL) {
      record.headers().add(HeaderNames.BACKFILL, HeaderNames.TRUE.getBytes(StandardCharsets.UTF_8));
    }
    for (String name : TRACE) {
      String value = fire.getSchedule().getHeaders().get(name);
      if (value != null) {
        record.headers().add(name, value.getBytes(StandardCharsets.UTF_8));
      }
    }
    outbox.send(
        record,
        error -> {
          error.ifPresent(why -> failed(fire, outcome, why));
          then.run();
        });
  }

  private void failed(Fire fire, Outcome outcome, Exception why) {
    if (why instanceof AuthorizationException && !fire.getWantsOutcome()) {
      if (forbidden.compareAndSet(false, true)) {
        LOG.warn(
            "No right to write to {}: results of runs are not reported from now on, except those"
                + " that schedules ask for",
            topic,
            why);
      }
      return;
    }
    LOG.warn("The outcome {} of {} was not written", outcome.getState(), outcome.getFireKey(), why);
  }
}
