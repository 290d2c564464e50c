package io.waterclock.client.schedules;

import io.waterclock.schemas.SafeLogger;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * A change inside a transaction. When the transaction has ended, {@link #answer()} tells what
 * became of it; a handle that nobody asks costs nothing but memory, for a quarter of an hour.
 * Thread-safe.
 */
public final class Pending {
  private static final Logger LOG = SafeLogger.of(Pending.class);

  /** As long as brokers let a transaction last, unless they are set otherwise. */
  private static final Duration KEPT = Duration.ofMinutes(15);

  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

  private final SentRequest sent;
  private final Connection connection;
  private final TransactionStates transactions;
  private final Executor executor;
  private @Nullable CompletableFuture<Answer> answer;
  private volatile boolean isOpen;

  Pending(
      SentRequest sent, Connection connection, TransactionStates transactions, Executor executor) {
    this.sent = sent;
    this.connection = connection;
    this.transactions = transactions;
    this.executor = executor;
    sent.expire(KEPT);
  }

  /** The schedule that it is about. */
  public String scheduleId() {
    return sent.scheduleId();
  }

  /**
   * The scheduler's answer. Call it after the commit: the time-out counts from the first call.
   * Fails with {@link NotWrittenException} if the transaction was aborted, whoever did it, which
   * shows within seconds; with {@link NoAnswerException} if there is no answer in time, saying
   * whether the transaction is still open.
   */
  public synchronized CompletableFuture<Answer> answer() {
    CompletableFuture<Answer> known = answer;
    if (known == null) {
      known =
          sent.answer(
              connection.timeout(),
              cause ->
                  sent.silence(
                      isOpen
                          ? "its transaction, or one before it in the partition, is still open, and"
                              + " no scheduler sees it before the commit."
                          : silence(connection),
                      cause));
      answer = known;
      lookLater();
    }
    return known;
  }

  /** What is said when a record is there and no scheduler answers. */
  static String silence(Connection connection) {
    return "no scheduler answered within "
        + connection.timeout().toMillis() / 1000.0
        + " s; is one running with the prefix "
        + connection.topics().prefix()
        + "? It will take the record up when it starts.";
  }

  private void lookLater() {
    long half = connection.timeout().toMillis() / 2;
    long pause = Math.min(BETWEEN_LOOKS.toMillis(), half);
    CompletableFuture.delayedExecutor(pause, TimeUnit.MILLISECONDS).execute(this::hand);
  }

  private void hand() {
    try {
      executor.execute(this::look);
    } catch (RejectedExecutionException e) {
      LOG.debug("Closed", e);
    }
  }

  /** An answer spares the look. */
  private void look() {
    if (sent.isTold()) {
      return;
    }
    try {
      TransactionStates.State state =
          sent.written().map(this::state).orElse(TransactionStates.State.OPEN);
      isOpen = state == TransactionStates.State.OPEN;
      if (state == TransactionStates.State.ABORTED) {
        sent.aborted();
      } else if (isOpen) {
        lookLater();
      }
    } catch (KafkaException | IllegalStateException e) {
      LOG.debug("What became of the transaction cannot be told now", e);
      lookLater();
    }
  }

  private TransactionStates.State state(RecordMetadata at) {
    return transactions.of(new TopicPartition(at.topic(), at.partition()), at.offset());
  }
}
