package io.waterclock.client.worker.brokers;

import io.waterclock.schemas.log.SafeLogger;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.slf4j.Logger;

/**
 * Writes records before the offsets of what they come from are committed: it retries a write until
 * the brokers confirm it, or its caller gives it up. Thread-safe.
 */
public final class ConfirmedOutbox {
  private static final Logger LOG = SafeLogger.of(ConfirmedOutbox.class);

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
   */
  private record Letter(
      String what, ProducerRecord<byte[], byte[]> record, Runnable then, OnError onError) {}

  private final Outbox outbox;
  private final Queue<Letter> unwritten = new ConcurrentLinkedQueue<>();
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
    send(new Letter(what, record, then, onError));
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
      settled();
      return;
    }
    String topic = letter.record().topic();
    problem =
        Optional.of(
            "%s was not written to %s: %s".formatted(letter.what(), topic, error.getMessage()));
    LOG.error("{} was not written to {}; the worker will retry", letter.what(), topic, error);
    unwritten.add(new Letter(letter.what(), next.get(), letter.then(), letter.onError()));
  }
}
