package io.waterclock.runtime.brokers;

import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.schemas.log.SafeLogger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.AbortTransactionSpec;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeProducersResult;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.slf4j.Logger;

/**
 * Looks for hanging transactions: before a producer starts, since its next transaction would commit
 * the records that its last one left open, and while the instance makes no progress.
 *
 * <p>A broker that crashes can leave a hanging transaction (KAFKA-20734): the coordinator does not
 * write its end to the partitions. No restore passes it, so the scheduler would wait for ever. If
 * this application began the transaction and its epoch proves that the coordinator aborted it, this
 * class aborts it in the partitions too. Every other one is left to an operator, with the command
 * in the log, since aborting a committed transaction would lose fires.
 *
 * <p>A transaction counts as hanging when two consecutive polls find it, so that one that ends
 * between two requests is not mistaken for a hanging one. Thread-safe.
 */
public final class TransactionWatch {
  private static final Logger LOG = SafeLogger.of(TransactionWatch.class);
  private static final long TIMEOUT_S = 15;

  private final WaterclockConfig config;
  private final Map<String, Object> clientConfig;
  private final BooleanSupplier isWaiting;
  private Set<HangingTransaction> suspects = Set.of();
  private final Set<HangingTransaction> reported = ConcurrentHashMap.newKeySet();
  private final Set<Right> notAllowed = ConcurrentHashMap.newKeySet();
  private volatile Optional<String> problem = Optional.empty();

  /**
   * @param isWaiting true while the instance makes no progress although the brokers answer
   */
  public TransactionWatch(
      WaterclockConfig config, Map<String, Object> clientConfig, BooleanSupplier isWaiting) {
    this.config = config;
    this.clientConfig = Map.copyOf(clientConfig);
    this.isWaiting = isWaiting;
  }

  /** The hanging transactions in words; empty when none is known. */
  public Optional<String> problem() {
    return problem;
  }

  /**
   * Ends the last transaction of a producer in the partitions where it is still open although its
   * coordinator has aborted it. Costs two rounds of requests; does nothing when the brokers do not
   * answer.
   *
   * <p>One look is enough here: the coordinator reports the transaction as complete before this
   * class asks the partitions, so no marker is in transit any more.
   */
  public void settle(String transactionalId) {
    try (Admin admin = Admin.create(clientConfig)) {
      TransactionDescription last =
          get(admin.describeTransactions(List.of(transactionalId)).description(transactionalId));
      if (last.state() != TransactionState.COMPLETE_ABORT) {
        return;
      }
      for (HangingTransaction transaction : find(admin)) {
        if (transaction.producerId() == last.producerId()) {
          end(admin, transaction);
        }
      }
    } catch (ExecutionException | TimeoutException | RuntimeException e) {
      LOG.debug("The open transactions of {} are not available", transactionalId, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Looks for transactions that hang, if the instance waits. For one thread. */
  public void poll() {
    if (!isWaiting.getAsBoolean()) {
      suspects = Set.of();
      problem = Optional.empty();
      return;
    }
    try (Admin admin = Admin.create(clientConfig)) {
      Set<HangingTransaction> found = find(admin);
      List<HangingTransaction> hanging = found.stream().filter(suspects::contains).toList();
      suspects = found;
      problem = hanging.stream().map(HangingTransaction::toString).reduce((a, b) -> a + "; " + b);
      for (HangingTransaction transaction : hanging) {
        end(admin, transaction);
      }
    } catch (ExecutionException | TimeoutException | RuntimeException e) {
      LOG.debug("The hanging transactions are not available", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Set<HangingTransaction> find(Admin admin)
      throws ExecutionException, InterruptedException, TimeoutException {
    Map<TopicPartition, List<ProducerState>> open = new HashMap<>();
    List<TopicPartition> partitions = partitions(admin);
    DescribeProducersResult described = admin.describeProducers(partitions);
    for (TopicPartition partition : partitions) {
      open.put(partition, active(partition, described));
    }
    Map<Long, HangingTransaction.Known> known = known(admin, open.values());
    Set<HangingTransaction> found = new HashSet<>();
    open.forEach(
        (partition, producers) ->
            producers.forEach(
                producer ->
                    HangingTransaction.of(
                            partition,
                            producer,
                            Optional.ofNullable(known.get(producer.producerId())))
                        .ifPresent(found::add)));
    return found;
  }

  /** The producers with an open transaction; none where this client lacks the right to ask. */
  private List<ProducerState> active(TopicPartition partition, DescribeProducersResult producers)
      throws ExecutionException, InterruptedException, TimeoutException {
    try {
      return get(producers.partitionResult(partition)).activeProducers().stream()
          .filter(producer -> producer.currentTransactionStartOffset().isPresent())
          .toList();
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof TopicAuthorizationException)) {
        throw e;
      }
      Right missing = Right.topic(AclOperation.READ, partition.topic());
      if (notAllowed.add(missing)) {
        LOG.warn("The transactions there cannot be checked: {}", missing.objection(clientConfig));
      }
      return List.of();
    }
  }

  /** The partitions that the instance reads or writes. */
  private List<TopicPartition> partitions(Admin admin)
      throws ExecutionException, InterruptedException, TimeoutException {
    List<String> ours =
        get(admin.listTopics(new ListTopicsOptions().listInternal(true)).names()).stream()
            .filter(
                name ->
                    name.startsWith(config.topics().prefix() + ".")
                        || name.equals("__consumer_offsets")
                        || name.startsWith(config.applicationId() + "-"))
            .toList();
    List<TopicPartition> partitions = new ArrayList<>();
    get(admin.describeTopics(ours).allTopicNames())
        .forEach(
            (name, topic) ->
                topic
                    .partitions()
                    .forEach(info -> partitions.add(new TopicPartition(name, info.partition()))));
    return partitions;
  }

  /** The coordinators' descriptions of the producers with an open transaction. */
  private static Map<Long, HangingTransaction.Known> known(
      Admin admin, Collection<List<ProducerState>> open)
      throws ExecutionException, InterruptedException, TimeoutException {
    Set<Long> ids = new HashSet<>();
    open.forEach(producers -> producers.forEach(producer -> ids.add(producer.producerId())));
    if (ids.isEmpty()) {
      return Map.of();
    }
    List<String> names =
        get(admin.listTransactions(new ListTransactionsOptions().filterProducerIds(ids)).all())
            .stream()
            .map(TransactionListing::transactionalId)
            .toList();
    Map<Long, HangingTransaction.Known> known = new HashMap<>();
    get(admin.describeTransactions(names).all())
        .forEach(
            (name, description) ->
                known.put(
                    description.producerId(), new HangingTransaction.Known(name, description)));
    return known;
  }

  private void end(Admin admin, HangingTransaction transaction)
      throws ExecutionException, InterruptedException, TimeoutException {
    if (!config.abortsTransactions()
        || !transaction.isAborted()
        || !isOurs(transaction)
        || !hasVersion2(admin)) {
      if (reported.add(transaction)) {
        LOG.error(
            "The instance cannot continue: {}. Read docs/outages.md, then end the transaction with"
                + " {}",
            transaction,
            transaction.command(config.bootstrapServers()));
      }
      return;
    }
    try {
      get(
          admin
              .abortTransaction(
                  new AbortTransactionSpec(
                      transaction.partition(),
                      transaction.producerId(),
                      (short) transaction.producerEpoch(),
                      transaction.coordinatorEpoch()))
              .all());
      LOG.warn("Ended a transaction that blocked the scheduler: {}", transaction);
    } catch (ExecutionException e) {
      if (reported.add(transaction)) {
        LOG.error(
            "The instance cannot continue: {}, and ending it failed ({}); end it with {}",
            transaction,
            e.getCause(),
            transaction.command(config.bootstrapServers()));
      }
    }
  }

  /** Kafka Streams begins its transactional ids with the application's. */
  private boolean isOurs(HangingTransaction transaction) {
    return transaction.transactionalId().stream()
        .anyMatch(id -> id.startsWith(config.applicationId() + "-"));
  }

  private static boolean hasVersion2(Admin admin)
      throws ExecutionException, InterruptedException, TimeoutException {
    FinalizedVersionRange version =
        get(admin.describeFeatures().featureMetadata())
            .finalizedFeatures()
            .get("transaction.version");
    return version != null && version.maxVersionLevel() >= 2;
  }

  private static <T> T get(KafkaFuture<T> future)
      throws ExecutionException, InterruptedException, TimeoutException {
    return future.get(TIMEOUT_S, TimeUnit.SECONDS);
  }
}
