package io.waterclock.client.worker;

import io.waterclock.client.retry.RetryHeaders;
import io.waterclock.client.worker.brokers.ConfirmedOutbox;
import io.waterclock.schemas.HeaderNames;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.Headers;

/**
 * Writes failed fires, and records that are not fires, to the dead-letter topic: as received, with
 * headers that contain the reason, the origin and the group. It retries a write until it succeeds;
 * until then the worker does not commit the record's offset. Thread-safe.
 */
record DeadLetterTopic(
    ConfirmedOutbox outbox, String topic, String group, Optional<WorkerListener> listener) {
  /**
   * @param then runs once the record is written
   */
  void send(ConsumerRecord<byte[], byte[]> from, String error, Runnable then) {
    outbox.send(
        "a dead letter",
        new ProducerRecord<>(
            topic, null, from.key(), from.value(), RetryHeaders.dead(from, group, error)),
        () -> {
          listener.ifPresent(WorkerListener::onDeadLetter);
          then.run();
        },
        (failed, why) ->
            Optional.of(
                why instanceof RecordTooLargeException && failed.value() != null
                    ? withoutValue(from, error)
                    : failed));
  }

  private ProducerRecord<byte[], byte[]> withoutValue(
      ConsumerRecord<byte[], byte[]> from, String error) {
    Headers headers =
        RetryHeaders.dead(
            from, group, "the value is left out, because it is too large for this topic: " + error);
    headers.add(HeaderNames.CUT, HeaderNames.TRUE.getBytes(StandardCharsets.UTF_8));
    return new ProducerRecord<>(topic, null, from.key(), null, headers);
  }
}
