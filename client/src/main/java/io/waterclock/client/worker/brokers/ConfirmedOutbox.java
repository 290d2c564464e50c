package io.waterclock.client.worker.brokers;

import io.waterclock.schemas.log.SafeLogger;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Writes records before the offsets of what they come from are committed: it retries a write until
 * the brokers confirm it, or its caller gives it up. It keeps what is not written in memory, with
 * what the caller does next: the caller adds nothing while {@link #isFull}. Thread-safe.
 */
public final class ConfirmedOutbox {
  private static final Logger LOG = SafeLogger.of(ConfirmedOutbox.class);

  private static final long MOST_BYTES = 16 << 20;

  /** What a record takes beside its key, its value and its headers. */
  private static final long SMALL_PARTS = 1024;

  /** Decides about a record that was not written. Called by any thread; must not block. */
  @FunctionalInterface
  public interface OnError {
    /**
     * @return the record to write instead, or the same; empty if the caller does without
     */
    Optional<ProducerRecord<byte[], byte[]>> instead(
        ProducerRecord<byte[], byte[]> failed, Exception error);
  }

  /**
   * @param what it is, for messages, with an article
   * @param bytes of the first record, which its caller keeps if it writes another one instead
   */
  private record Letter(
      String what,
      ProducerRecord<byte[], byte[]> record,
      long bytes,
      Runnable then,
      OnError onError) {
    Letter with(ProducerRecord<byte[], byte[]> other) {
      return new Letter(what, other, bytes, then, onError);
    }
  }

  private final Outbox outbox;
  private final Queue<Letter> unwritten = new ConcurrentLinkedQueue<>();
  private final AtomicLong unwrittenBytes = new AtomicLong();
  private volatile boolean full;
  private volatile Optional<String> problem = Optional.empty();

  public ConfirmedOutbox(Outbox outbox) {
    this.outbox = outbox;
  }

  /**
   * Writes a record.
   *
   * @param what the record is, for messages, with an article
   * @param then runs once the record is written
   */
  public void send(
      String what, ProducerRecord<byte[], byte[]> record, Runnable then, OnError onError) {
    Letter letter = new Letter(what, record, bytes(record), then, onError);
    unwrittenBytes.addAndGet(letter.bytes());
    send(letter);
  }

  private static long bytes(ProducerRecord<byte[], byte[]> record) {
    long bytes = SMALL_PARTS + length(record.key()) + length(record.value());
    for (Header header : record.headers()) {
      bytes += header.key().length() + length(header.value());
    }
    return bytes;
  }

  private static int length(byte @Nullable [] part) {
    return part == null ? 0 : part.length;
  }

  /**
   * True from when 16 MiB of records are neither written nor given up, until less than half of that
   * is left.
   */
  public boolean isFull() {
    full = unwrittenBytes.get() >= (full ? MOST_BYTES / 2 : MOST_BYTES);
    return full;
  }

  /** Why records wait, for a person; empty if none does. */
  public Optional<String> problem() {
    return problem;
  }

  /** Tries again to write what was not written. */
  public void resend() {
    for (int i = unwritten.size(); i > 0; i--) {
      Letter letter = unwritten.poll();
      if (letter != null) {
        send(letter);
      }
    }
  }

  private void send(Letter letter) {
    outbox.send(
        letter.record(),
        error -> error.ifPresentOrElse(why -> failed(letter, why), () -> written(letter)));
  }

  private void written(Letter letter) {
    unwrittenBytes.addAndGet(-letter.bytes());
    settled();
    letter.then().run();
  }

  private void settled() {
    if (unwritten.isEmpty()) {
      problem = Optional.empty();
    }
  }

  private void failed(Letter letter, Exception error) {
    Optional<ProducerRecord<byte[], byte[]>> next =
        letter.onError().instead(letter.record(), error);
    if (next.isEmpty()) {
      unwrittenBytes.addAndGet(-letter.bytes());
      settled();
      return;
    }
    String topic = letter.record().topic();
    problem =
        Optional.of(
            "%s was not written to %s: %s".formatted(letter.what(), topic, error.getMessage()));
    LOG.error("{} was not written to {}; the worker will retry", letter.what(), topic, error);
    unwritten.add(letter.with(next.get()));
  }
}
