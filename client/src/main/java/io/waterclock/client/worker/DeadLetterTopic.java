package io.waterclock.client.worker;

import io.waterclock.client.worker.brokers.Outbox;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.log.SafeLogger;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.slf4j.Logger;

/**
 * Writes failed fires, and records that are not fires, to the dead-letter topic: as received, with
 * headers that contain the reason, the origin and the group. It retries a write until it succeeds;
 * until then the worker does not commit the record's offset. Thread-safe.
 */
final class DeadLetterTopic {
  private static final Logger LOG = SafeLogger.of(DeadLetterTopic.class);
  private static final int MAX_ERROR = 2 * 1024;

  private record Letter(ProducerRecord<byte[], byte[]> record, Runnable then) {}

  private final Outbox outbox;
  private final String topic;
  private final String group;
  private final Optional<WorkerListener> listener;
  private volatile Optional<String> problem = Optional.empty();
  private final Queue<Letter> unwritten = new ConcurrentLinkedQueue<>();

  DeadLetterTopic(Outbox outbox, String topic, String group, Optional<WorkerListener> listener) {
    this.outbox = outbox;
    this.listener = listener;
    this.topic = topic;
    this.group = group;
  }

  /**
   * @param then runs once the record is written
   */
  void send(ConsumerRecord<byte[], byte[]> from, String error, Runnable then) {
    RecordHeaders headers = new RecordHeaders(from.headers().toArray());
    add(headers, HeaderNames.ERROR, Text.cut(error, MAX_ERROR));
    add(headers, HeaderNames.ORIGIN_TOPIC, from.topic());
    add(headers, HeaderNames.ORIGIN_PARTITION, Integer.toString(from.partition()));
    add(headers, HeaderNames.ORIGIN_OFFSET, Long.toString(from.offset()));
    add(headers, HeaderNames.ORIGIN_TIMESTAMP, Long.toString(from.timestamp()));
    add(headers, HeaderNames.GROUP, group);
    send(new Letter(new ProducerRecord<>(topic, null, from.key(), from.value(), headers), then));
  }

  /** Why dead letters wait, for a person; empty if none does. */
  Optional<String> problem() {
    return problem;
  }

  void resend() {
    for (int i = unwritten.size(); i > 0; i--) {
      Letter letter = unwritten.poll();
      if (letter != null) {
        send(letter);
      }
    }
  }

  private void send(Letter letter) {
    outbox.send(
        letter.record(),
        error -> error.ifPresentOrElse(why -> failed(letter, why), () -> written(letter)));
  }

  private void written(Letter letter) {
    if (unwritten.isEmpty()) {
      problem = Optional.empty();
    }
    listener.ifPresent(WorkerListener::onDeadLetter);
    letter.then().run();
  }

  private void failed(Letter letter, Exception error) {
    problem =
        Optional.of("a dead letter was not written to %s: %s".formatted(topic, error.getMessage()));
    LOG.error("A dead letter was not written to {}; the worker will retry", topic, error);
    boolean tooLarge = error instanceof RecordTooLargeException && letter.record().value() != null;
    unwritten.add(tooLarge ? withoutValue(letter) : letter);
  }

  private static Letter withoutValue(Letter letter) {
    ProducerRecord<byte[], byte[]> from = letter.record();
    RecordHeaders headers = new RecordHeaders(from.headers().toArray());
    String error =
        new String(headers.lastHeader(HeaderNames.ERROR).value(), StandardCharsets.UTF_8);
    headers.remove(HeaderNames.ERROR);
    add(
        headers,
        HeaderNames.ERROR,
        error + "; the value is left out, because it is too large for this topic");
    add(headers, HeaderNames.CUT, HeaderNames.TRUE);
    return new Letter(
        new ProducerRecord<>(from.topic(), null, from.key(), null, headers), letter.then());
  }

  private static void add(RecordHeaders headers, String name, String value) {
    headers.add(name, value.getBytes(StandardCharsets.UTF_8));
  }
}
