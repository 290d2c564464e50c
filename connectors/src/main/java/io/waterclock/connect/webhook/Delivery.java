package io.waterclock.connect.webhook;

import io.waterclock.schemas.avro.Fire;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkRecord;
import org.jspecify.annotations.Nullable;

/**
 * A fire on its way to a webhook. Its attempts are made one after another, by whichever thread;
 * {@link #cancel} may be called by any other.
 */
final class Delivery {
  private final SinkRecord record;
  private final TopicPartition partition;
  private final Fire fire;
  private final String fireKey;
  private int attempts;
  private @Nullable Instant startedAt;
  private @Nullable Runnable abort;
  private boolean cancelled;

  Delivery(SinkRecord record, TopicPartition partition, Fire fire, String fireKey) {
    this.record = record;
    this.partition = partition;
    this.fire = fire;
    this.fireKey = fireKey;
  }

  SinkRecord record() {
    return record;
  }

  TopicPartition partition() {
    return partition;
  }

  long offset() {
    return record.originalKafkaOffset();
  }

  /** Of the record's value. */
  long bytes() {
    return record.value() instanceof byte[] bytes ? bytes.length : 0;
  }

  Fire fire() {
    return fire;
  }

  String fireKey() {
    return fireKey;
  }

  /** Fires of one lane are delivered one after another. */
  String lane() {
    return partition + "|" + fire.getScheduleId();
  }

  /** Begins an attempt; the first says when all of them began. */
  synchronized int begin(Instant now) {
    if (startedAt == null) {
      startedAt = now;
    }
    attempts++;
    return attempts;
  }

  synchronized int attempts() {
    return attempts;
  }

  synchronized Optional<Instant> startedAt() {
    return Optional.ofNullable(startedAt);
  }

  /** Takes what ends the request that is about to run. */
  void running(Runnable how) {
    boolean atOnce;
    synchronized (this) {
      abort = how;
      atOnce = cancelled;
    }
    if (atOnce) {
      how.run();
    }
  }

  /** Ends it: a request that runs is cut off, and what comes of it is not looked at. */
  void cancel() {
    Runnable how;
    synchronized (this) {
      cancelled = true;
      how = abort;
    }
    if (how != null) {
      how.run();
    }
  }

  synchronized boolean isCancelled() {
    return cancelled;
  }
}
