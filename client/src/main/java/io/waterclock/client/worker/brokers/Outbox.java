package io.waterclock.client.worker.brokers;

import java.util.Optional;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/**
 * Sends the records of a worker's threads. Thread-safe.
 *
 * @param producer its creator closes it
 * @param broken called when what follows a write throws: Kafka only logs an exception, and ends the
 *     thread that does the producer's I/O at an {@link Error}, without a word to its user
 */
public record Outbox(Producer<byte[], byte[]> producer, Consumer<Throwable> broken) {
  /**
   * Sends a record.
   *
   * @param then called once, by any thread, when the record is written or with the reason why it is
   *     not; also if the producer refuses the record at once or is closed. It must not block: the
   *     thread may be the one that does the producer's I/O
   */
  public void send(ProducerRecord<byte[], byte[]> record, Consumer<Optional<Exception>> then) {
    try {
      Future<?> unused =
          producer.send(record, (written, error) -> answered(Optional.ofNullable(error), then));
    } catch (KafkaException | IllegalStateException e) {
      then.accept(Optional.of(e));
    }
  }

  private void answered(Optional<Exception> error, Consumer<Optional<Exception>> then) {
    try {
      then.accept(error);
    } catch (RuntimeException | Error e) {
      broken.accept(e);
    }
  }

  /** Waits until each record is written or has failed. */
  public void flush() {
    producer.flush();
  }
}
