package io.waterclock.topology.runtime.clients;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * Makes the clients of Kafka Streams, and keeps the main consumer of each stream thread at hand, so
 * that a gate can ask it how far it has read. A processor alone cannot see that: transaction
 * markers at the end of a partition never reach it.
 *
 * <p>The clients are made for the threads of Kafka Streams; what is here may be called from any.
 */
public final class WatchedClients implements KafkaClientSupplier {
  /** What comes before a producer begins with its transactions, or begins anew. */
  @FunctionalInterface
  public interface BeforeTransactions {
    void of(String transactionalId);
  }

  /** Hears of the records that producers have sent. Called from the producers' threads. */
  public interface Sendings {
    /** The record was written. */
    void took(ProducerRecord<byte[], byte[]> record);

    /** The record was the first of its transaction that was not written. */
    void refused(ProducerRecord<byte[], byte[]> record, Exception cause);
  }

  private static final String MAIN_CONSUMER = "-consumer";

  private final Map<String, WatchedConsumer> byThread = new ConcurrentHashMap<>();
  private final Set<KafkaProducer<byte[], byte[]>> producers = ConcurrentHashMap.newKeySet();
  private final BeforeTransactions beforeTransactions;
  private final Runnable afterCommit;
  private final Optional<Sendings> sendings;
  private volatile Optional<Admin> admin = Optional.empty();

  /**
   * @param beforeTransactions runs on the thread of Kafka Streams that begins
   * @param afterCommit runs on a stream thread when it has committed a transaction
   */
  public WatchedClients(BeforeTransactions beforeTransactions, Runnable afterCommit) {
    this(beforeTransactions, afterCommit, Optional.empty());
  }

  /** As above, and tells of each record that is sent. */
  public WatchedClients(
      BeforeTransactions beforeTransactions, Runnable afterCommit, Sendings sendings) {
    this(beforeTransactions, afterCommit, Optional.of(sendings));
  }

  private WatchedClients(
      BeforeTransactions beforeTransactions, Runnable afterCommit, Optional<Sendings> sendings) {
    this.beforeTransactions = beforeTransactions;
    this.afterCommit = afterCommit;
    this.sendings = sendings;
  }

  @Override
  public Admin getAdmin(Map<String, Object> config) {
    Admin made = Admin.create(config);
    admin = Optional.of(made);
    return made;
  }

  @Override
  public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
    KafkaProducer<byte[], byte[]> producer =
        sendings
            .<KafkaProducer<byte[], byte[]>>map(told -> new TellingProducer(config, told))
            .orElseGet(() -> new WatchedProducer(config));
    producers.add(producer);
    return producer;
  }

  @Override
  public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
    WatchedConsumer consumer = new WatchedConsumer(config);
    String clientId = String.valueOf(config.get(CommonClientConfigs.CLIENT_ID_CONFIG));
    byThread.put(clientId.substring(0, clientId.length() - MAIN_CONSUMER.length()), consumer);
    return consumer;
  }

  @Override
  public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
    return plain(config);
  }

  @Override
  public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
    return new UnhurriedConsumer(config);
  }

  /** That of Kafka Streams. */
  public Admin admin() {
    return admin.orElseThrow(() -> new IllegalStateException("there is no admin client yet"));
  }

  /** The main consumer of the calling stream thread. */
  Optional<WatchedConsumer> ofThisThread() {
    return Optional.ofNullable(byThread.get(Thread.currentThread().getName()));
  }

  /**
   * Asks where a partition ends for read_committed, without waiting for the answer.
   *
   * <p>A consumer must not be asked on a stream thread: a broker answers the requests of a
   * connection in turn, so the answer comes after that to the fetch which the consumer has sent
   * ahead, and where no record comes that takes {@code fetch.max.wait.ms}.
   */
  CompletableFuture<Long> end(TopicPartition partition) {
    return admin
        .orElseThrow()
        .listOffsets(
            Map.of(partition, OffsetSpec.latest()),
            new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
        .partitionResult(partition)
        .toCompletionStage()
        .thenApply(ListOffsetsResultInfo::offset)
        .toCompletableFuture();
  }

  /**
   * Makes whatever waits for a broker fail: for an end that cannot wait for the brokers to come
   * back. What is not committed is lost to these clients, and decided again by the next ones.
   */
  public void abandon() {
    producers.forEach(producer -> producer.close(Duration.ZERO));
    byThread.values().forEach(KafkaConsumer::wakeup);
  }

  /**
   * Waits longer for records than Kafka Streams asks it to: {@code poll.ms} is short for the sake
   * of ticks, and the thread that reads calendars has none. A poll returns with the first record
   * all the same.
   */
  private static final class UnhurriedConsumer extends KafkaConsumer<byte[], byte[]> {
    private static final Duration SHORTEST_WAIT = Duration.ofMillis(500);

    UnhurriedConsumer(Map<String, Object> config) {
      super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
      return super.poll(timeout.compareTo(SHORTEST_WAIT) < 0 ? SHORTEST_WAIT : timeout);
    }
  }

  /** Known until it is closed, so that a close that hangs can be cut short. */
  private class WatchedProducer extends KafkaProducer<byte[], byte[]> {
    private final String transactionalId;

    WatchedProducer(Map<String, Object> config) {
      super(config, new ByteArraySerializer(), new ByteArraySerializer());
      this.transactionalId = String.valueOf(config.get(ProducerConfig.TRANSACTIONAL_ID_CONFIG));
    }

    @Override
    public void initTransactions() {
      beforeTransactions.of(transactionalId);
      super.initTransactions();
    }

    @Override
    public void commitTransaction() {
      super.commitTransaction();
      afterCommit.run();
    }

    @Override
    public void close(Duration timeout) {
      super.close(timeout);
      producers.remove(this);
    }
  }

  /**
   * Tells of the first failure of a transaction only: what was still to be sent fails with it, and
   * with the very same exception, whatever it is.
   */
  private final class TellingProducer extends WatchedProducer {
    private final Sendings told;
    private volatile boolean hasFailed;

    TellingProducer(Map<String, Object> config, Sendings told) {
      super(config);
      this.told = told;
    }

    @Override
    public void beginTransaction() {
      hasFailed = false;
      super.beginTransaction();
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
      return super.send(
          record,
          (metadata, failure) -> {
            if (failure == null) {
              told.took(record);
            } else if (!hasFailed) {
              hasFailed = true;
              told.refused(record, failure);
            }
            callback.onCompletion(metadata, failure);
          });
    }
  }

  private static Consumer<byte[], byte[]> plain(Map<String, Object> config) {
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }
}
