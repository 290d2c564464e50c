package io.waterclock.cli.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.runtime.brokers.Right;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;

/** Writes many records in their order without keeping them in memory. */
final class BulkWriter implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private final Cluster cluster;
  private final Producer<byte[], byte[]> producer;
  private final AtomicReference<@Nullable Failure> failure = new AtomicReference<>();

  BulkWriter(Cluster cluster) {
    this.cluster = cluster;
    this.producer = cluster.producer(TIMEOUT);
  }

  /**
   * Sends a record; does not wait for the broker.
   *
   * @throws Failure if an earlier record could not be written
   */
  void write(ProducerRecord<byte[], byte[]> record) {
    check();
    try {
      var unused =
          producer.send(
              record,
              (metadata, e) -> {
                if (e != null) {
                  failure.compareAndSet(null, failed(e, record));
                }
              });
    } catch (KafkaException e) {
      throw failed(e, record);
    }
  }

  /**
   * Waits until the brokers have acknowledged all records.
   *
   * @throws Failure if a record could not be written; others may be written nevertheless
   */
  void flush() {
    producer.flush();
    check();
  }

  private void check() {
    Failure failed = failure.get();
    if (failed != null) {
      throw failed;
    }
  }

  private Failure failed(Exception e, ProducerRecord<byte[], byte[]> record) {
    return e instanceof RecordTooLargeException
        ? new Failure(
            "The record of "
                + new String(record.key(), UTF_8)
                + " is larger than the topic "
                + record.topic()
                + " allows: increase its max.message.bytes, and try again.",
            e)
        : cluster.failure(e, Right.topic(AclOperation.WRITE, record.topic()));
  }

  @Override
  public void close() {
    producer.close();
  }
}
