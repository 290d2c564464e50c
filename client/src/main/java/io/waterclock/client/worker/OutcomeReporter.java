package io.waterclock.client.worker;

import io.waterclock.client.rules.BufferedFire;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.SafeLogger;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.OutcomeState;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.slf4j.Logger;

/**
 * Reports the outcomes of fires to the listener and, if the fire or the worker's configuration asks
 * for it, to the outcomes topic; it never writes the outcome of a backfill's fire. If an outcome
 * cannot be written, the reporter logs it and gives up; the scheduler then counts the fire as ended
 * after its timeout. Thread-safe.
 */
final class OutcomeReporter {
  private static final Logger LOG = SafeLogger.of(OutcomeReporter.class);
  private static final int MAX_TEXT = 16 * 1024;

  private final Outbox outbox;
  private final String topic;
  private final boolean always;
  private final Optional<WorkerListener> listener;

  OutcomeReporter(Outbox outbox, String topic, boolean always, Optional<WorkerListener> listener) {
    this.outbox = outbox;
    this.topic = topic;
    this.always = always;
    this.listener = listener;
  }

  /** True if the listener or the scheduler wants the outcome of a fire. */
  boolean isWanted(Fire fire) {
    return listener.isPresent() || isReported(fire);
  }

  /**
   * A backfill's fires have the keys of the original fires, so the scheduler would confuse their
   * outcomes.
   */
  private boolean isReported(Fire fire) {
    return fire.getCause() != Cause.BACKFILL && (always || fire.getWantsOutcome());
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
    if (!isWanted(fire)) {
      then.run();
      return;
    }
    Outcome outcome =
        Outcome.newBuilder()
            .setFireId(fire.getFireId())
            .setFireKey(work.attachment().fireKey())
            .setState(state)
            .setAttempt(Math.max(1, work.attempt()))
            .build();
    more.accept(outcome);
    listener.ifPresent(watching -> notify(watching, fire, outcome));
    if (isReported(fire)) {
      send(fire.getScheduleId(), outcome, then);
    } else {
      then.run();
    }
  }

  /** Sets the handler's output. */
  static void output(Outcome outcome, Optional<String> text) {
    text.ifPresent(said -> outcome.setOutput(Text.cut(said, MAX_TEXT)));
  }

  /** Sets the stack trace of a failure. */
  static void error(Outcome outcome, Throwable error) {
    outcome.setError(Text.cut(Text.stackTrace(error), MAX_TEXT));
  }

  /** Sets the start and the end of a run. */
  static void times(Outcome outcome, Optional<Instant> startedAt, Instant endedAt) {
    startedAt.ifPresent(outcome::setStartedAt);
    outcome.setEndedAt(endedAt);
  }

  /** Sets the checkpoint that the next run finds. */
  static void checkpoint(Outcome outcome, Optional<byte[]> checkpoint) {
    checkpoint.map(ByteBuffer::wrap).ifPresent(outcome::setCheckpoint);
  }

  private void send(String scheduleId, Outcome outcome, Runnable then) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(
            topic,
            scheduleId.getBytes(StandardCharsets.UTF_8),
            RecordCodecs.outcome().encode(outcome, WireFormat.AVRO));
    outbox.send(
        record,
        error -> {
          error.ifPresent(why -> givenUp(outcome, why));
          then.run();
        });
  }

  private static void givenUp(Outcome outcome, Exception error) {
    LOG.warn(
        "The outcome {} of {} was not written", outcome.getState(), outcome.getFireKey(), error);
  }

  private static void notify(WorkerListener listener, Fire fire, Outcome outcome) {
    try {
      listener.onOutcome(fire, outcome);
    } catch (RuntimeException e) {
      LOG.warn("The listener has failed at {}", outcome.getFireKey(), e);
    }
  }
}
