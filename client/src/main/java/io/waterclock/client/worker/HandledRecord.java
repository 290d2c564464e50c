package io.waterclock.client.worker;

import java.nio.charset.StandardCharsets;
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
  private volatile boolean leftCheckpoint;

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
    return record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8);
  }

  Optional<ActiveRun> run() {
    return run;
  }

  void run(Optional<ActiveRun> attempt) {
    run = attempt;
    if (attempt.isPresent()) {
      leftCheckpoint = false;
    }
  }

  /** True once the latest attempt has left a checkpoint for the next run. */
  boolean hasLeftCheckpoint() {
    return leftCheckpoint;
  }

  void checkpointLeft() {
    leftCheckpoint = true;
  }
}
