package io.waterclock.client.worker;

import io.waterclock.client.rules.BufferedFire;
import io.waterclock.client.worker.brokers.Outbox;
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
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.slf4j.Logger;

/**
 * Reports the outcomes of fires to the listener and, if the fire or the worker's configuration asks
 * for it, to the outcomes topic; it never writes the outcome of a backfill's fire. If an outcome
 * cannot be written, the reporter logs it and gives up; the scheduler then counts the fire as ended
 * after its timeout. Thread-safe.
 */
record OutcomeReporter(
    Outbox outbox, String topic, boolean always, Optional<WorkerListener> listener) {
  private static final Logger LOG = SafeLogger.of(OutcomeReporter.class);

  /** The headers of a schedule that carry a trace, by the W3C; an outcome belongs to it, too. */
  private static final List<String> TRACE = List.of("traceparent", "tracestate");

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
    listener.ifPresent(watching -> watching.onOutcome(fire, outcome));
    if (isReported(fire)) {
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
    for (String name : TRACE) {
      String value = fire.getSchedule().getHeaders().get(name);
      if (value != null) {
        record.headers().add(name, value.getBytes(StandardCharsets.UTF_8));
      }
    }
    outbox.send(
        record,
        error -> {
          error.ifPresent(
              why ->
                  LOG.warn(
                      "The outcome {} of {} was not written",
                      outcome.getState(),
                      outcome.getFireKey(),
                      why));
          then.run();
        });
  }
}
