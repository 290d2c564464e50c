package io.waterclock.client.schedules;

import java.util.concurrent.Executor;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;

/**
 * Changes inside the transactions of a producer of yours. Each is sent and gives a handle, and
 * nothing is waited for: the scheduler sees it when you commit, so its answer can only come then.
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
 * <p>A method throws what {@link KafkaProducer#send} throws, such as outside of a transaction; then
 * abort, as for any record. Every {@link KafkaException} on the way to the brokers shows at the
 * commit. May be used for many transactions; as thread-safe as the producer is.
 */
public final class SchedulesInTransaction extends Changes<Pending> {
  private static final String INIT_TIME = "txn-init-time-ns-total";

  private final Producer<byte[], byte[]> producer;
  private final Connection connection;
  private final TransactionStates transactions;
  private final Executor executor;

  SchedulesInTransaction(
      Producer<byte[], byte[]> producer,
      Connection connection,
      TransactionStates transactions,
      Executor executor) {
    this.producer = producer;
    this.connection = connection;
    this.transactions = transactions;
    this.executor = executor;
  }

  /**
   * A producer does not say whether it is transactional; but it counts the time that {@code
   * initTransactions()} took, which no other producer can call.
   *
   * @throws IllegalArgumentException if it has not called that
   */
  static void check(Producer<byte[], byte[]> producer) {
    boolean isPlain =
        producer.metrics().values().stream()
            .filter(metric -> metric.metricName().name().equals(INIT_TIME))
            .anyMatch(metric -> metric.metricValue() instanceof Double ns && ns == 0);
    if (isPlain) {
      throw new IllegalArgumentException(
          "the producer is not transactional: what it sends is there at once, also when the rest"
              + " fails. Give it a transactional.id, for example \"orders-1\", and call"
              + " initTransactions() before; without transactions use the methods of Schedules");
    }
  }

  @Override
  Pending send(Request request) {
    return new Pending(
        SentRequest.by(producer, request, connection), connection, transactions, executor);
  }
}
