package io.waterclock.connect.webhook;

import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.schemas.text.SafeText;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;

/**
 * Reports the outcomes of fires that ask for it. If an outcome cannot be written, it logs that and
 * gives up; the scheduler then counts the fire as ended after its timeout. Thread-safe.
 */
final class Outcomes implements AutoCloseable {
  private static final Logger LOG = SafeLogger.of(Outcomes.class);
  private static final int MAX_TEXT = 4_000;
  private static final Duration CLOSE = Duration.ofSeconds(5);

  private final Optional<Producer<byte[], byte[]>> producer;
  private final String topic;
  private final AtomicBoolean hasWarned = new AtomicBoolean();

  /**
   * @param producer empty if the connector reports no outcomes
   */
  Outcomes(Optional<Producer<byte[], byte[]>> producer, String topic) {
    this.producer = producer;
    this.topic = topic;
  }

  void started(Delivery delivery) {
    report(delivery, outcome(delivery, OutcomeState.STARTED), () -> {});
  }

  /**
   * @param then runs once the outcome is written or given up; at once if the fire asks for none
   */
  void ended(Delivery delivery, OutcomeState state, String text, Instant now, Runnable then) {
    Outcome outcome = outcome(delivery, state);
    outcome.setEndedAt(now);
    String shown = SafeText.cut(text, MAX_TEXT);
    switch (state) {
      case SUCCEEDED -> outcome.setOutput(shown);
      case DROPPED -> outcome.setReason(shown);
      default -> outcome.setError(shown);
    }
    report(delivery, outcome, then);
  }

  private static Outcome outcome(Delivery delivery, OutcomeState state) {
    Outcome outcome =
        Outcome.newBuilder()
            .setFireId(delivery.fire().getFireId())
            .setFireKey(delivery.fireKey())
            .setState(state)
            .setAttempt(Math.max(1, delivery.attempts()))
            .setBackfill(delivery.fire().getBackfill())
            .build();
    delivery.startedAt().ifPresent(outcome::setStartedAt);
    return outcome;
  }

  private void report(Delivery delivery, Outcome outcome, Runnable then) {
    boolean isAsked = delivery.fire().getWantsOutcome();
    if (isAsked && producer.isPresent()) {
      send(producer.get(), delivery.fire().getScheduleId(), outcome, then);
      return;
    }
    if (isAsked && !hasWarned.getAndSet(true)) {
      LOG.warn(
          "{} asks for the outcomes of its fires, but outcomes.bootstrap.servers is not set:"
              + " the connector reports none, and each fire counts as running until its timeout",
          delivery.fire().getScheduleId());
    }
    then.run();
  }

  private void send(
      Producer<byte[], byte[]> to, String scheduleId, Outcome outcome, Runnable then) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(
            topic,
            scheduleId.getBytes(StandardCharsets.UTF_8),
            RecordCodecs.outcome().encode(outcome, WireFormat.AVRO));
    try {
      Future<?> unused =
          to.send(
              record,
              (written, error) -> {
                if (error != null) {
                  givenUp(outcome, error);
                }
                then.run();
              });
    } catch (KafkaException | IllegalStateException e) {
      givenUp(outcome, e);
      then.run();
    }
  }

  private static void givenUp(Outcome outcome, Exception error) {
    LOG.warn(
        "The outcome {} of {} was not written", outcome.getState(), outcome.getFireKey(), error);
  }

  @Override
  public void close() {
    producer.ifPresent(open -> open.close(CLOSE));
  }
}
