package io.waterclock.client.worker;

import io.waterclock.client.topics.Partitions;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A fire's record with its handler and, while an attempt runs, that attempt. The lock of the {@link
 * WorkQueue} guards the attempt.
 */
final class HandledRecord {
  private final ConsumerRecord<byte[], byte[]> record;
  private final FireHandler handler;
  private Optional<ActiveRun> run = Optional.empty();

  HandledRecord(ConsumerRecord<byte[], byte[]> record, FireHandler handler) {
    this.record = record;
    this.handler = handler;
  }

  ConsumerRecord<byte[], byte[]> record() {
    return record;
  }

  FireHandler handler() {
    return handler;
  }

  String fireKey() {
    return Partitions.key(record);
  }

  Optional<ActiveRun> run() {
    return run;
  }

  void run(Optional<ActiveRun> attempt) {
    run = attempt;
  }
}
