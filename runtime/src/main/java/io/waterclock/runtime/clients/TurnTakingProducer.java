package io.waterclock.runtime.clients;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metrics.KafkaMetric;

/**
 * Two transactional producers that take turns: after each commit that the brokers heard of the
 * other one begins the next transaction.
 *
 * <p>Idea: a commit returns before the broker has written the markers of the transaction. The first
 * records of the next transaction of the same producer wait until they are written, and the broker
 * looks only every {@code add.partitions.to.txn.retry.backoff.ms}, 20 ms. Those of another producer
 * do not wait.
 *
 * <p>The order of records stays: a producer begins after the commit of the other one has returned.
 * Then all records of that transaction are in the logs and nothing can abort it; a read_committed
 * reader waits for its markers before it reads on. The group coordinator keeps the later of two
 * offsets, in whatever order their markers arrive.
 *
 * <p>For one thread, like its use by Kafka Streams; another one may close it.
 */
final class TurnTakingProducer<P extends Producer<byte[], byte[]>>
    implements Producer<byte[], byte[]> {
  /** Kafka Streams looks these up by name, and wants one of each. */
  private static final String SUMMED = "-time-ns-total";

  private final P first;
  private final P second;
  private final Predicate<P> isEmpty;
  private final List<Beginning> beginnings;
  private P turn;

  /**
   * @param isEmpty true when the last transaction of a producer asked nothing of the brokers
   */
  TurnTakingProducer(P first, P second, Predicate<P> isEmpty) {
    this.first = first;
    this.second = second;
    this.isEmpty = isEmpty;
    this.beginnings = List.of(new Beginning(first), new Beginning(second));
    this.turn = first;
  }

  /** The initialization of a producer, which may run ahead of the call that needs it. */
  private static final class Beginning {
    private final Producer<byte[], byte[]> producer;
    private CompletableFuture<Boolean> isDone = CompletableFuture.completedFuture(false);

    Beginning(Producer<byte[], byte[]> producer) {
      this.producer = producer;
    }

    void beginOn(Executor executor) {
      isDone =
          CompletableFuture.runAsync(producer::initTransactions, executor)
              .handle((none, failure) -> failure == null);
    }

    void finish() {
      if (!isDone.join()) {
        producer.initTransactions(); // throws again what is no time-out
        isDone = CompletableFuture.completedFuture(true);
      }
    }
  }

  /**
   * Begins {@link #initTransactions} on other threads. A stream thread calls it only when it has a
   * partition, whose fires wait then.
   */
  void beginOn(Executor executor) {
    beginnings.forEach(beginning -> beginning.beginOn(executor));
  }

  /** Ends what an earlier run of either producer left open. Call again after a time-out. */
  @Override
  public void initTransactions() {
    beginnings.forEach(Beginning::finish);
  }

  @Override
  public void beginTransaction() {
    turn.beginTransaction();
  }

  @Override
  public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
    return turn.send(record);
  }

  @Override
  public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
    return turn.send(record, callback);
  }

  @Override
  public void flush() {
    turn.flush();
  }

  @Override
  public void sendOffsetsToTransaction(
      Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {
    turn.sendOffsetsToTransaction(offsets, group);
  }

  /**
   * A commit that failed is not over: the same producer repeats or aborts it. An empty transaction
   * is no turn: if it were, one producer could get all others, and the brokers would forget the
   * other's id after a week.
   */
  @Override
  public void commitTransaction() {
    turn.commitTransaction();
    if (!isEmpty.test(turn)) {
      turn = turn == first ? second : first;
    }
  }

  @Override
  public void abortTransaction() {
    turn.abortTransaction();
  }

  @Override
  public List<PartitionInfo> partitionsFor(String topic) {
    return turn.partitionsFor(topic);
  }

  /** The metrics of both; times that Kafka Streams adds up are their sum, as the first one's. */
  @Override
  public Map<MetricName, ? extends Metric> metrics() {
    Map<MetricName, Metric> metrics = new HashMap<>(first.metrics());
    Map<String, Metric> added = new HashMap<>();
    second
        .metrics()
        .forEach(
            (name, metric) -> {
              if (name.name().endsWith(SUMMED)) {
                added.put(name.name(), metric);
              } else {
                metrics.put(name, metric);
              }
            });
    metrics.replaceAll(
        (name, metric) ->
            added.containsKey(name.name()) ? new Sum(metric, added.get(name.name())) : metric);
    return metrics;
  }

  private record Sum(Metric one, Metric other) implements Metric {
    @Override
    public MetricName metricName() {
      return one.metricName();
    }

    @Override
    public Object metricValue() {
      return (Double) one.metricValue() + (Double) other.metricValue();
    }
  }

  @Override
  public void registerMetricForSubscription(KafkaMetric metric) {
    first.registerMetricForSubscription(metric);
  }

  @Override
  public void unregisterMetricFromSubscription(KafkaMetric metric) {
    first.unregisterMetricFromSubscription(metric);
  }

  @Override
  public Uuid clientInstanceId(Duration timeout) {
    return first.clientInstanceId(timeout);
  }

  @Override
  public void close() {
    first.close();
    second.close();
  }

  @Override
  public void close(Duration timeout) {
    first.close(timeout);
    second.close(timeout);
  }
}
