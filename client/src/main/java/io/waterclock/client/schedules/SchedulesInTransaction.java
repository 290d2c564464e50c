package io.waterclock.client.schedules;

import io.waterclock.schemas.brokers.RootCause;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;

/**
 * Changes inside the transactions of your producer. A method sends a change and returns a handle
 * without waiting: the scheduler reads the change after your commit, so its answer comes later.
 *
 * <pre>{@code
 * SchedulesInTransaction schedules = all.in(producer);
 * producer.beginTransaction();
 * producer.send(orderPlaced);
 * Pending reminder = schedules.put("reminders/" + order, ScheduleBuilder.after(Duration.ofDays(3)));
 * producer.sendOffsetsToTransaction(offsets, consumer.groupMetadata());
 * producer.commitTransaction();
 * reminder.answer().join().orThrow();
 * }</pre>
 *
 * <p>A method throws {@link NotWrittenException} if {@link KafkaProducer#send} throws a {@link
 * KafkaException}, and {@link IllegalStateException} outside of a transaction; then abort, as for
 * any record. A failure on the way to the brokers appears at the commit. One object serves many
 * transactions; it is as thread-safe as the producer.
 */
public final class SchedulesInTransaction extends Changes<Pending> {
  private static final String INIT_TIME = "txn-init-time-ns-total";

  private final Producer<byte[], byte[]> producer;
  private final Connection connection;
  private final TransactionStates transactions;

  SchedulesInTransaction(
      Producer<byte[], byte[]> producer, Connection connection, TransactionStates transactions) {
    this.producer = producer;
    this.connection = connection;
    this.transactions = transactions;
  }

  /**
   * Checks that a producer is transactional. A producer has no method for that, but it measures the
   * time of {@code initTransactions()}, which only a transactional producer can call.
   *
   * @throws IllegalArgumentException if the producer has not called it
   */
  static void check(Producer<byte[], byte[]> producer) {
    boolean isPlain =
        producer.metrics().values().stream()
            .filter(metric -> metric.metricName().name().equals(INIT_TIME))
            .anyMatch(metric -> metric.metricValue() instanceof Double ns && ns == 0);
    if (isPlain) {
      throw new IllegalArgumentException(
          "the producer is not transactional: its records are visible at once, also if the rest of"
              + " your change fails. Set its transactional.id, for example \"orders-1\", and call"
              + " initTransactions() first; without transactions use the methods of Schedules");
    }
  }

  @Override
  Pending send(Request request) {
    try {
      SentRequest sent = SentRequest.by(producer, request, connection);
      return new Pending(sent, connection, transactions);
    } catch (KafkaException e) {
      throw request.notWritten(why(e), e);
    }
  }

  /** Of a transaction that had failed, Kafka gives the failure as the cause. */
  private String why(KafkaException refused) {
    return refused.getCause() == null
        ? connection.explain(refused)
        : "its transaction had failed before: "
            + RootCause.of(refused)
            + "; abort it, and mend that first";
  }
}
