package io.waterclock.runtime.clients;

import io.waterclock.schemas.brokers.RootCause;
import io.waterclock.schemas.threads.DaemonThreads;
import io.waterclock.topology.router.Refusals;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeProducersResult;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * Creates the clients of Kafka Streams, and keeps the main consumer of each stream thread, so that
 * a gate can ask it for its position. A processor cannot see the position: transaction markers at
 * the end of a partition never reach it.
 *
 * <p>The clients are for the threads of Kafka Streams; any thread may call the methods of this
 * class.
 */
public final class WatchedClients implements KafkaClientSupplier {
  /** After so long an offset is repeated: brokers forget a transactional id after a week. */
  private static final long LONGEST_SILENCE = Duration.ofHours(1).toNanos();

  private static final String MAIN_CONSUMER = "-consumer";
  private static final String CHANGELOG = "-changelog";
  private static final String SECOND = "-second";

  private final Map<String, WatchedConsumer> byThread = new ConcurrentHashMap<>();
  private final Set<KafkaProducer<byte[], byte[]>> producers = ConcurrentHashMap.newKeySet();
  private final Consumer<String> beforeTransactions;
  private final TransactionListener transactions;
  private final Optional<Refusals> refusals;
  private final Supplier<PollTimeout> pollTimeouts;
  private volatile Optional<Admin> admin = Optional.empty();

  /**
   * @param beforeTransactions receives the transactional id of each producer before it initializes
   *     its transactions, on that thread of Kafka Streams
   * @param transactions hears of the ends of transactions, on the stream thread
   * @param refusals receives the result of each sent record
   */
  public WatchedClients(
      Consumer<String> beforeTransactions,
      TransactionListener transactions,
      Optional<Refusals> refusals) {
    this(beforeTransactions, transactions, refusals, PollTimeout::ofTicks);
  }

  private WatchedClients(
      Consumer<String> beforeTransactions,
      TransactionListener transactions,
      Optional<Refusals> refusals,
      Supplier<PollTimeout> pollTimeouts) {
    this.beforeTransactions = beforeTransactions;
    this.transactions = transactions;
    this.refusals = refusals;
    this.pollTimeouts = pollTimeouts;
  }

  /** The same for an application whose tasks do not tick, and work only when they get a record. */
  public WatchedClients withoutTicks() {
    return new WatchedClients(beforeTransactions, transactions, refusals, PollTimeout::ofRecords);
  }

  @Override
  public Admin getAdmin(Map<String, Object> config) {
    Admin made = Admin.create(config);
    admin = Optional.of(made);
    return made;
  }

  @Override
  public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
    return refusals
        .<Producer<byte[], byte[]>>map(listener -> new ReportingProducer(config, listener))
        .orElseGet(() -> takingTurns(config));
  }

  private Producer<byte[], byte[]> takingTurns(Map<String, Object> config) {
    TurnTakingProducer<WatchedProducer> both =
        new TurnTakingProducer<>(
            new WatchedProducer(config),
            new WatchedProducer(second(config)),
            WatchedProducer::isEmpty);
    ThreadFactory threads = DaemonThreads.named("waterclock-transactions");
    both.beginOn(task -> threads.newThread(task).start());
    return both;
  }

  /** The same producer with another identity. */
  private static Map<String, Object> second(Map<String, Object> config) {
    Map<String, Object> second = new HashMap<>(config);
    for (String key :
        List.of(ProducerConfig.CLIENT_ID_CONFIG, ProducerConfig.TRANSACTIONAL_ID_CONFIG)) {
      second.put(key, config.get(key) + SECOND);
    }
    return second;
  }

  @Override
  public KafkaConsumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
    WatchedConsumer consumer = new WatchedConsumer(config, pollTimeouts.get());
    String clientId = String.valueOf(config.get(CommonClientConfigs.CLIENT_ID_CONFIG));
    byThread.put(clientId.substring(0, clientId.length() - MAIN_CONSUMER.length()), consumer);
    return consumer;
  }

  @Override
  public KafkaConsumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  @Override
  public KafkaConsumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
    return new UnhurriedConsumer(config);
  }

  public Admin admin() {
    return admin.orElseThrow(() -> new IllegalStateException("there is no admin client yet"));
  }

  Optional<WatchedConsumer> ofThisThread() {
    return Optional.ofNullable(byThread.get(Thread.currentThread().getName()));
  }

  /**
   * The end of a partition.
   *
   * @param stable where a read_committed reader stops
   * @param high behind the last record, which may be of an open transaction; at least {@code
   *     stable}
   */
  record End(long stable, long high) {}

  /**
   * Requests the end of a partition, without waiting for the answer.
   *
   * <p>A stream thread must not ask its consumer: a broker answers the requests of a connection in
   * turn, so the answer waits for the consumer's pending fetch, which takes {@code
   * fetch.max.wait.ms} if no record comes.
   */
  CompletableFuture<End> end(TopicPartition partition) {
    return latest(partition, IsolationLevel.READ_COMMITTED)
        .thenCombine(latest(partition, IsolationLevel.READ_UNCOMMITTED), End::new);
  }

  private CompletableFuture<Long> latest(TopicPartition partition, IsolationLevel isolation) {
    return admin()
        .listOffsets(Map.of(partition, OffsetSpec.latest()), new ListOffsetsOptions(isolation))
        .partitionResult(partition)
        .toCompletionStage()
        .thenApply(ListOffsetsResultInfo::offset)
        .toCompletableFuture();
  }

  /** Whose transactions are open in a partition, in words; does not wait, and never fails. */
  CompletableFuture<String> openTransactions(TopicPartition partition) {
    return admin()
        .describeProducers(List.of(partition))
        .partitionResult(partition)
        .toCompletionStage()
        .thenApply(WatchedClients::open)
        .thenCompose(
            open ->
                admin()
                    .listTransactions(
                        new ListTransactionsOptions().filterProducerIds(open.keySet()))
                    .all()
                    .toCompletionStage()
                    .thenApply(known -> named(open, known)))
        .exceptionally(e -> "a transaction (whose is not known: " + RootCause.of(e) + ")")
        .toCompletableFuture();
  }

  /** The last timestamps of the producers that have a transaction open. */
  private static Map<Long, Instant> open(DescribeProducersResult.PartitionProducerState state) {
    return state.activeProducers().stream()
        .filter(producer -> producer.currentTransactionStartOffset().isPresent())
        .collect(
            Collectors.toMap(
                ProducerState::producerId, it -> Instant.ofEpochMilli(it.lastTimestamp())));
  }

  private static String named(Map<Long, Instant> open, Collection<TransactionListing> known) {
    Map<Long, String> names = new HashMap<>();
    known.forEach(
        it -> names.put(it.producerId(), " with transactional.id " + it.transactionalId()));
    return open.isEmpty()
        ? "a transaction"
        : open.entrySet().stream()
            .map(
                it ->
                    "the transaction of producer %s%s, which last wrote at %s"
                        .formatted(it.getKey(), names.getOrDefault(it.getKey(), ""), it.getValue()))
            .sorted()
            .collect(Collectors.joining(" and "));
  }

  /**
   * What the instances read together, with the records of open transactions.
   *
   * @param group of the application
   */
  OtherPartitions.Brokers reading(String group) {
    return reading(group, IsolationLevel.READ_UNCOMMITTED);
  }

  /**
   * The same.
   *
   * @param isolation with or without the records of open transactions, which nothing reads yet
   */
  OtherPartitions.Brokers reading(String group, IsolationLevel isolation) {
    return new OtherPartitions.Brokers() {
      @Override
      public CompletableFuture<Map<TopicPartition, Long>> ends(List<TopicPartition> partitions) {
        CompletableFuture<Map<TopicPartition, Long>> begins =
            offsets(partitions, OffsetSpec.earliest(), isolation);
        return offsets(partitions, OffsetSpec.latest(), isolation)
            .thenCombine(
                begins,
                (ends, all) -> {
                  ends.replaceAll((partition, end) -> end.equals(all.get(partition)) ? 0L : end);
                  return ends;
                });
      }

      @Override
      public CompletableFuture<Map<TopicPartition, OffsetAndMetadata>> committed() {
        return admin()
            .listConsumerGroupOffsets(group)
            .partitionsToOffsetAndMetadata()
            .toCompletionStage()
            .toCompletableFuture();
      }
    };
  }

  /** A new map for each answer. */
  private CompletableFuture<Map<TopicPartition, Long>> offsets(
      List<TopicPartition> partitions, OffsetSpec of, IsolationLevel isolation) {
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    partitions.forEach(partition -> asked.put(partition, of));
    return admin()
        .listOffsets(asked, new ListOffsetsOptions(isolation))
        .all()
        .toCompletionStage()
        .thenApply(
            found -> {
              Map<TopicPartition, Long> offsets = new HashMap<>();
              found.forEach((partition, info) -> offsets.put(partition, info.offset()));
              return offsets;
            })
        .toCompletableFuture();
  }

  /**
   * Makes pending calls to brokers fail, for a close that cannot wait for the end of an outage.
   * These clients lose uncommitted work; the next ones decide it again.
   */
  public void abandon() {
    producers.forEach(producer -> producer.close(Duration.ZERO));
    byThread.values().forEach(KafkaConsumer::wakeup);
  }

  /**
   * Polls longer than Kafka Streams asks: {@code poll.ms} is short for ticks, and the thread that
   * reads calendars has no ticks. A poll still returns with the first record.
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

  /** Registered until it is closed, so that {@link #abandon} can stop a close that hangs. */
  private class WatchedProducer extends KafkaProducer<byte[], byte[]> {
    private final String transactionalId;

    /** The last offsets of the transaction; the producer's own thread writes them. */
    private final Map<TopicPartition, Long> changelogEnds = new ConcurrentHashMap<>();

    private boolean hasRecords;
    private boolean isEmpty;
    private long heardAt = System.nanoTime();
    private Map<TopicPartition, OffsetAndMetadata> offsets = Map.of();

    WatchedProducer(Map<String, Object> config) {
      super(config, new ByteArraySerializer(), new ByteArraySerializer());
      this.transactionalId = String.valueOf(config.get(ProducerConfig.TRANSACTIONAL_ID_CONFIG));
      producers.add(this);
    }

    @Override
    public void initTransactions() {
      beforeTransactions.accept(transactionalId);
      super.initTransactions();
    }

    @Override
    public void beginTransaction() {
      hasRecords = false;
      isEmpty = false;
      offsets = Map.of();
      super.beginTransaction();
    }

    /** True when the last transaction asked nothing of the brokers. */
    boolean isEmpty() {
      return isEmpty;
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
      hasRecords = true;
      if (!record.topic().endsWith(CHANGELOG)) {
        return super.send(record, callback);
      }
      return super.send(
          record,
          (metadata, failure) -> {
            if (failure == null && metadata.hasOffset()) {
              changelogEnds.merge(
                  new TopicPartition(metadata.topic(), metadata.partition()),
                  metadata.offset(),
                  Math::max);
            }
            callback.onCompletion(metadata, failure);
          });
    }

    /**
     * The group coordinator compares the generation of a member only with offsets. Without any, it
     * would let a member commit whose partitions another one has got. Kafka Streams has none until
     * a task reads a record; then this repeats one.
     *
     * <p>Kafka Streams commits after each tick, too. Without records and new offsets the
     * transaction stays empty, and its commit asks nothing of the brokers.
     */
    @Override
    public void sendOffsetsToTransaction(
        Map<TopicPartition, OffsetAndMetadata> ofTasks, ConsumerGroupMetadata group) {
      Optional<WatchedConsumer> consumer = ofThisThread();
      consumer.ifPresent(its -> its.read(ofTasks.keySet()));
      Map<TopicPartition, OffsetAndMetadata> all = new HashMap<>(ofTasks);
      consumer.map(WatchedConsumer::passed).orElse(Map.of()).forEach(all::putIfAbsent);
      offsets =
          all.isEmpty()
              ? consumer.flatMap(WatchedConsumer::unread).map(Map::ofEntries).orElse(ofTasks)
              : all;
      isEmpty =
          !hasRecords
              && System.nanoTime() - heardAt < LONGEST_SILENCE
              && consumer.filter(its -> its.hasCommitted(offsets)).isPresent();
      if (!isEmpty) {
        super.sendOffsetsToTransaction(offsets, group);
      }
    }

    /** Returns normally only when the transaction is committed. */
    @Override
    public void commitTransaction() {
      super.commitTransaction();
      heardAt = isEmpty ? heardAt : System.nanoTime();
      ofThisThread().ifPresent(consumer -> consumer.committed(offsets));
      Map<TopicPartition, Long> ends = Map.copyOf(changelogEnds);
      changelogEnds.clear();
      transactions.committed(ends);
    }

    @Override
    public void abortTransaction() {
      changelogEnds.clear();
      ofThisThread().ifPresent(WatchedConsumer::aborted);
      transactions.aborted();
      super.abortTransaction();
    }

    @Override
    public void close(Duration timeout) {
      super.close(timeout);
      producers.remove(this);
    }
  }

  /**
   * Reports only the first failure of a transaction: the pending records fail with the same
   * exception. But if the broker refuses some records of a batch, the others, which may come first,
   * fail with an exception that says only that.
   */
  private final class ReportingProducer extends WatchedProducer {
    private final Refusals listener;
    private volatile boolean hasFailed;

    ReportingProducer(Map<String, Object> config, Refusals listener) {
      super(config);
      this.listener = listener;
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
              listener.took(record);
            } else if (!hasFailed && !failure.getClass().equals(KafkaException.class)) {
              hasFailed = true;
              listener.refused(record, failure);
            }
            callback.onCompletion(metadata, failure);
          });
    }
  }
}
