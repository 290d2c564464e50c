package io.waterclock.cli.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.cli.terminal.Failure;
import io.waterclock.runtime.brokers.Right;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;

/** Writes records in their order without keeping them in memory. */
public final class RecordWriter implements AutoCloseable {
  private final Cluster cluster;
  private final Producer<byte[], byte[]> producer;
  private final AtomicReference<@Nullable RecordMetadata> newest = new AtomicReference<>();
  private final AtomicReference<@Nullable Failure> failure = new AtomicReference<>();

  /**
   * @param timeout the longest time that a record may wait in the client and for the broker
   */
  public RecordWriter(Cluster cluster, Duration timeout) {
    this.cluster = cluster;
    this.producer = cluster.producer(timeout);
  }

  /** Writes one record and waits until the brokers have acknowledged it. */
  public static RecordMetadata write(Cluster cluster, ProducerRecord<byte[], byte[]> record) {
    try (RecordWriter writer = new RecordWriter(cluster, cluster.timeout())) {
      writer.write(record);
      writer.flush();
      return Objects.requireNonNull(writer.newest.get());
    }
  }

  /**
   * Sends a record; does not wait for the broker.
   *
   * @throws Failure if an earlier record could not be written
   */
  public void write(ProducerRecord<byte[], byte[]> record) {
    check();
    try {
      var unused =
          producer.send(
              record,
              (metadata, e) -> {
                newest.set(metadata);
                if (e != null) {
                  failure.compareAndSet(null, notWritten(cluster, e, record));
                }
              });
    } catch (KafkaException e) {
      throw notWritten(cluster, e, record);
    }
  }

  /**
   * Waits until the brokers have acknowledged all records.
   *
   * @throws Failure if a record could not be written; others may be written nevertheless
   */
  public void flush() {
    producer.flush();
    check();
  }

  private void check() {
    Failure failed = failure.get();
    if (failed != null) {
      throw failed;
    }
  }

  static Failure notWritten(Cluster cluster, Exception e, ProducerRecord<byte[], byte[]> record) {
    return e instanceof RecordTooLargeException
        ? new Failure(
            ("The record of %s was not written: it is larger than the topic %s allows"
                    + " (max.message.bytes).")
                .formatted(new String(record.key(), UTF_8), record.topic()),
            e)
        : cluster.failure(e, Right.topic(AclOperation.WRITE, record.topic()));
  }

  @Override
  public void close() {
    producer.close();
  }
}
