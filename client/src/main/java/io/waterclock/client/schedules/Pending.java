package io.waterclock.client.schedules;

import io.waterclock.schemas.log.SafeLogger;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * A change inside a transaction. After the end of the transaction, {@link #answer()} returns the
 * scheduler's answer. A handle whose answer is never requested costs only memory, for 15 minutes.
 * Thread-safe.
 */
public final class Pending {
  private static final Logger LOG = SafeLogger.of(Pending.class);

  /** The brokers' default for the longest transaction. */
  private static final Duration KEPT = Duration.ofMinutes(15);

  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

  private final SentRequest sent;
  private final Connection connection;
  private final TransactionStates transactions;
  private @Nullable CompletableFuture<Answer> answer;
  private volatile boolean isOpen;

  Pending(SentRequest sent, Connection connection, TransactionStates transactions) {
    this.sent = sent;
    this.connection = connection;
    this.transactions = transactions;
    sent.expire(KEPT);
  }

  /** The id of the schedule. */
  public String scheduleId() {
    return sent.scheduleId();
  }

  /**
   * The scheduler's answer. Call this after the commit: the timeout counts from the first call. The
   * future fails with {@link NotWrittenException} within seconds if the transaction was aborted,
   * and with {@link NoAnswerException} if there is no answer in time; its message says whether the
   * transaction is still open.
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
                          ? "its transaction, or an earlier one in the partition, is still open,"
                              + " and no scheduler reads the record before the commit."
                          : silence(connection),
                      cause));
      answer = known;
      lookLater();
    }
    return known;
  }

  /** The message for a written record without an answer. */
  static String silence(Connection connection) {
    return ("no scheduler answered within %s s; is one running with the prefix %s?"
            + " It will handle the record when it starts.")
        .formatted(connection.timeout().toMillis() / 1000.0, connection.topics().prefix());
  }

  private void lookLater() {
    Duration half = connection.timeout().dividedBy(2);
    transactions.later(half.compareTo(BETWEEN_LOOKS) < 0 ? half : BETWEEN_LOOKS, this::look);
  }

  /** Checks the transaction, unless the answer has come. */
  private void look() {
    if (sent.isAnswered()) {
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
      LOG.debug("The state of the transaction is not known now", e);
      lookLater();
    }
  }

  private TransactionStates.State state(RecordMetadata at) {
    return transactions.of(new TopicPartition(at.topic(), at.partition()), at.offset());
  }
}
