package io.waterclock.client.worker;

import io.waterclock.client.retry.FailureText;
import io.waterclock.client.worker.brokers.ConfirmedOutbox;
import io.waterclock.schemas.HeaderNames;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * Writes failed fires, and records that are not fires, to the dead-letter topic: as received, with
 * headers that contain the reason, the origin and the group. It retries a write until it succeeds;
 * until then the worker does not commit the record's offset. Thread-safe.
 */
record DeadLetterTopic(
    ConfirmedOutbox outbox, String topic, String group, Optional<WorkerListener> listener) {
  private static final int MAX_ERROR = 2 * 1024;

  /**
   * @param then runs once the record is written
   */
  void send(ConsumerRecord<byte[], byte[]> from, String error, Runnable then) {
    RecordHeaders headers = new RecordHeaders(from.headers().toArray());
    add(headers, HeaderNames.ERROR, FailureText.cut(error, MAX_ERROR));
    add(headers, HeaderNames.ORIGIN_TOPIC, from.topic());
    add(headers, HeaderNames.ORIGIN_PARTITION, Integer.toString(from.partition()));
    add(headers, HeaderNames.ORIGIN_OFFSET, Long.toString(from.offset()));
    add(headers, HeaderNames.ORIGIN_TIMESTAMP, Long.toString(from.timestamp()));
    add(headers, HeaderNames.GROUP, group);
    outbox.send(
        "a dead letter",
        new ProducerRecord<>(topic, null, from.key(), from.value(), headers),
        () -> {
          listener.ifPresent(WorkerListener::onDeadLetter);
          then.run();
        },
        (failed, why) ->
            Optional.of(
                why instanceof RecordTooLargeException && failed.value() != null
                    ? withoutValue(failed)
                    : failed));
  }

  private static ProducerRecord<byte[], byte[]> withoutValue(ProducerRecord<byte[], byte[]> from) {
    RecordHeaders headers = new RecordHeaders(from.headers().toArray());
    String error =
        new String(headers.lastHeader(HeaderNames.ERROR).value(), StandardCharsets.UTF_8);
    headers.remove(HeaderNames.ERROR);
    add(
        headers,
        HeaderNames.ERROR,
        error + "; the value is left out, because it is too large for this topic");
    add(headers, HeaderNames.CUT, HeaderNames.TRUE);
    return new ProducerRecord<>(from.topic(), null, from.key(), null, headers);
  }

  private static void add(RecordHeaders headers, String name, String value) {
    headers.add(name, value.getBytes(StandardCharsets.UTF_8));
  }
}
