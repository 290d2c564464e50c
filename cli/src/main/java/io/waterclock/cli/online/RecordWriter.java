package io.waterclock.cli.online;

import io.waterclock.cli.Failure;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.RecordTooLargeException;

/** Writes a record and waits until the broker has it. */
final class RecordWriter {
  private RecordWriter() {}

  /**
   * @throws Failure if Kafka is away, or refuses the record
   */
  static RecordMetadata write(Cluster cluster, ProducerRecord<byte[], byte[]> record) {
    try (Producer<byte[], byte[]> producer = cluster.producer()) {
      return producer.send(record).get();
    } catch (ExecutionException e) {
      Exception cause = e.getCause() instanceof Exception known ? known : e;
      if (cause instanceof RecordTooLargeException) {
        throw new Failure(
            "Nothing was written: the record is larger than the topic "
                + record.topic()
                + " takes (max.message.bytes).",
            cause);
      }
      throw cluster.failure(cause, record.topic());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Failure("Interrupted.", e);
    }
  }
}
