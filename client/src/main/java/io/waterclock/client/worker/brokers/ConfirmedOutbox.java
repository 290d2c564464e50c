package io.waterclock.client.worker.brokers;

import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.log.SafeLogger;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Writes records before the offsets of what they come from are committed: it retries a write until
 * the brokers confirm it, or its caller gives it up. It keeps what is not written in memory, with
 * what the caller does next: the caller adds nothing while {@link #isFull}. Thread-safe.
 *
 * <p>Idea: the producer calls back in the thread that does its I/O. There nothing may wait for the
 * brokers: a send to a topic that the producer does not know waits for what only that thread can
 * fetch. So the answers of the brokers only join a queue, and one thread of the worker {@linkplain
 * #attend attends} to them.
 */
public final class ConfirmedOutbox {
  private static final Logger LOG = SafeLogger.of(ConfirmedOutbox.class);

  private static final long MOST_BYTES = 16 << 20;

  /** What a record takes beside its key, its value and its headers. */
  private static final long SMALL_PARTS = 1024;

  /** Decides about a record that was not written. May wait for the brokers. */
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
  private final BlockingQueue<Runnable> answers = new LinkedBlockingQueue<>();
  private final Object counts = new Object();
  private long answered;
  private long attended;
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
   * @param then runs once the record is written; may wait for the brokers
   */
  public void send(
      String what, ProducerRecord<byte[], byte[]> record, Runnable then, OnError onError) {
    Letter letter = new Letter(what, record, bytes(record), then, onError);
    unwrittenBytes.addAndGet(letter.bytes());
    send(letter);
  }

  private static long bytes(ProducerRecord<byte[], byte[]> record) {
    return SMALL_PARTS
        + length(record.key())
        + length(record.value())
        + HeaderNames.bytes(record.headers());
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

  /** Tries again to write what was not written; waits for the brokers. */
  public void resend() {
    for (int i = unwritten.size(); i > 0; i--) {
      Letter letter = unwritten.poll();
      if (letter != null) {
        send(letter);
      }
    }
  }

  /** Does what follows from the answers of the brokers, those that are there and those to come. */
  public void attend(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    Runnable answer = next(end);
    while (answer != null) {
      try {
        answer.run();
      } finally {
        attended();
      }
      answer = next(end);
    }
  }

  private @Nullable Runnable next(long endNanos) {
    try {
      return answers.poll(endNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.interrupted(); // it was for a listener, which was called here
      return answers.poll();
    }
  }

  private void attended() {
    synchronized (counts) {
      attended++;
      counts.notifyAll();
    }
  }

  /**
   * Waits until each record that was sent is written or has failed, and so is what follows from
   * that, and from this twice more: a line is stored, then its fire waits, then that is reported.
   * Leaves out what waits for the next {@link #resend}.
   *
   * @param atMost how long another thread may take to {@linkplain #attend attend} to the answers
   */
  public void flush(Duration atMost) throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    for (int round = 0; round < 3; round++) {
      outbox.flush();
      awaitAttended(end);
    }
    outbox.flush();
  }

  /** Until what is answered now is attended to: they join the queue in their order. */
  private void awaitAttended(long endNanos) throws InterruptedException {
    synchronized (counts) {
      long all = answered;
      long left = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
      while (attended < all && left > 0) {
        counts.wait(left);
        left = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
      }
    }
  }

  private void send(Letter letter) {
    outbox.send(letter.record(), error -> answered(letter, error));
  }

  private void answered(Letter letter, Optional<Exception> error) {
    attendTo(() -> error.ifPresentOrElse(why -> failed(letter, why), () -> written(letter)));
  }

  /** Has the thread that {@linkplain #attend attends} run this, which may wait for the brokers. */
  public void attendTo(Runnable answer) {
    synchronized (counts) {
      answered++;
      answers.add(answer);
    }
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
