package io.waterclock.client.worker;

import io.waterclock.schemas.Headers;
import io.waterclock.schemas.SafeLogger;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.slf4j.Logger;

/**
 * Writes fires that could not be done, and records that are no fires, to the dead-letter topic: as
 * received, with headers that say why and where they stood. What cannot be written is tried again
 * until it can; until then its offset is not committed. Thread-safe.
 */
final class DeadLetterTopic {
  private static final Logger LOG = SafeLogger.of(DeadLetterTopic.class);
  private static final int MAX_ERROR = 2 * 1024;

  /** A record that waits to be written again. */
  private record Letter(ProducerRecord<byte[], byte[]> record, Runnable then) {}

  private final Outbox outbox;
  private final String topic;
  private final Queue<Letter> unwritten = new ConcurrentLinkedQueue<>();

  public DeadLetterTopic(Outbox outbox, String topic) {
    this.outbox = outbox;
    this.topic = topic;
  }

  /**
   * @param then what is done once it is written
   */
  void send(ConsumerRecord<byte[], byte[]> from, String error, Runnable then) {
    RecordHeaders headers = new RecordHeaders(from.headers().toArray());
    add(headers, Headers.ERROR, Text.cut(error, MAX_ERROR));
    add(headers, Headers.ORIGIN_TOPIC, from.topic());
    add(headers, Headers.ORIGIN_PARTITION, Integer.toString(from.partition()));
    add(headers, Headers.ORIGIN_OFFSET, Long.toString(from.offset()));
    send(new Letter(new ProducerRecord<>(topic, null, from.key(), from.value(), headers), then));
  }

  /** Writes again what could not be written before. */
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
        letter.record(), error -> error.ifPresentOrElse(why -> failed(letter, why), letter.then()));
  }

  private void failed(Letter letter, Exception error) {
    LOG.error("{} takes no dead letter; it will be tried again", topic, error);
    boolean tooLarge = error instanceof RecordTooLargeException && letter.record().value() != null;
    unwritten.add(tooLarge ? withoutValue(letter) : letter);
  }

  private static Letter withoutValue(Letter letter) {
    ProducerRecord<byte[], byte[]> from = letter.record();
    RecordHeaders headers = new RecordHeaders(from.headers().toArray());
    String error = new String(headers.lastHeader(Headers.ERROR).value(), StandardCharsets.UTF_8);
    headers.remove(Headers.ERROR);
    add(headers, Headers.ERROR, error + "; its value is left out, being too large for this topic");
    return new Letter(
        new ProducerRecord<>(from.topic(), null, from.key(), null, headers), letter.then());
  }

  private static void add(RecordHeaders headers, String name, String value) {
    headers.add(name, value.getBytes(StandardCharsets.UTF_8));
  }
}
