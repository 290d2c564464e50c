package io.waterclock.connect.webhook;

import io.waterclock.schemas.avro.Fire;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkRecord;
import org.jspecify.annotations.Nullable;

/**
 * The delivery of one fire to a webhook. Any thread may make its attempts, one after another; any
 * thread may call {@link #cancel}.
 */
final class Delivery {
  private final SinkRecord record;
  private final TopicPartition partition;
  private final Fire fire;
  private final String fireKey;
  private int attempts;
  private @Nullable Instant startedAt;
  private Optional<Instant> failingSince = Optional.empty();
  private boolean inCrowd;
  private boolean accepted;
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

  long bytes() {
    return record.value() instanceof byte[] bytes ? bytes.length : 0;
  }

  Fire fire() {
    return fire;
  }

  String fireKey() {
    return fireKey;
  }

  /** The connector delivers the fires of one lane one after another. */
  String lane() {
    return partition + "|" + fire.getScheduleId();
  }

  /** Begins an attempt, and returns its number; the first one sets the start. */
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

  /**
   * Its turn comes.
   *
   * @param since when the receiver has failed; empty if the delivery before was accepted
   * @param crowd whether too many of its lane wait
   */
  synchronized void behind(Optional<Instant> since, boolean crowd) {
    failingSince = since;
    inCrowd = crowd;
  }

  /** From when on the patience with its receiver counts; empty before the first attempt. */
  synchronized Optional<Instant> patientSince() {
    return failingSince.or(this::startedAt);
  }

  /** Whether it gets no attempt: the patience was used up before its turn, in a crowded lane. */
  synchronized boolean isHopeless(Duration patience, Instant now) {
    return inCrowd && failingSince.filter(since -> now.isAfter(since.plus(patience))).isPresent();
  }

  synchronized void accept() {
    accepted = true;
  }

  synchronized boolean isAccepted() {
    return accepted;
  }

  /** Sets the action that aborts the request, which is about to start. */
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

  /** Cancels the delivery: aborts a running request, whose result is then ignored. */
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
