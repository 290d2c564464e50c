package io.waterclock.cli.cluster;

import io.waterclock.cli.terminal.Failure;
import io.waterclock.runtime.brokers.Right;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.RecordTooLargeException;

/** Writes records and waits until the broker has acknowledged them. */
public final class RecordWriter {
  private RecordWriter() {}

  /**
   * @throws Failure if Kafka is away, or refuses the record
   */
  public static RecordMetadata write(Cluster cluster, ProducerRecord<byte[], byte[]> record) {
    return write(cluster, List.of(record)).get(0);
  }

  /**
   * @param records at least one, all for one topic
   * @throws Failure if Kafka is away, or refuses a record; other records may be written
   *     nevertheless
   */
  public static List<RecordMetadata> write(
      Cluster cluster, List<ProducerRecord<byte[], byte[]>> records) {
    String topic = records.get(0).topic();
    try (Producer<byte[], byte[]> producer = cluster.producer()) {
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      for (ProducerRecord<byte[], byte[]> record : records) {
        sent.add(producer.send(record));
      }
      List<RecordMetadata> written = new ArrayList<>();
      for (Future<RecordMetadata> one : sent) {
        written.add(one.get());
      }
      return written;
    } catch (ExecutionException e) {
      Exception cause = e.getCause() instanceof Exception known ? known : e;
      if (cause instanceof RecordTooLargeException) {
        throw new Failure(
            "Nothing was written: the record is larger than the topic "
                + topic
                + " allows (max.message.bytes).",
            cause);
      }
      throw cluster.failure(cause, Right.topic(AclOperation.WRITE, topic));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Failure("Interrupted.", e);
    }
  }
}
