package io.waterclock.client.worker;

import java.util.Optional;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/**
 * Where a worker's threads put what is to be written. Thread-safe.
 *
 * @param producer closed by whoever made it
 */
record Outbox(Producer<byte[], byte[]> producer) {
  /**
   * Sends a record.
   *
   * @param then told once, by any thread, when it is written, or why it is not: also of what the
   *     producer refuses at once, and of one that has been closed
   */
  void send(ProducerRecord<byte[], byte[]> record, Consumer<Optional<Exception>> then) {
    try {
      Future<?> unused =
          producer.send(record, (written, error) -> then.accept(Optional.ofNullable(error)));
    } catch (KafkaException | IllegalStateException e) {
      then.accept(Optional.of(e));
    }
  }

  /** Waits until everything is written, or will not be. */
  void flush() {
    producer.flush();
  }
}
