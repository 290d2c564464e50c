package io.waterclock.bench.rig;

import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.BenchException;
import io.waterclock.bench.run.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.KafkaFuture;

/**
 * What the broker knows of the instances of a scheduler: which partitions each has, when one has
 * fallen out of the group, when its transactions have ended. So the time-outs that a recovery waits
 * for are seen, and not taken from settings.
 */
public final class InstanceWatch implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final Set<TransactionState> OPEN =
      EnumSet.of(
          TransactionState.ONGOING,
          TransactionState.PREPARE_ABORT,
          TransactionState.PREPARE_COMMIT);

  /** The file in which Kafka Streams keeps the process id, a part of its transactional ids. */
  private static final Path PROCESS = Path.of(Loader.GROUP, "kafka-streams-process-metadata");

  private final Admin admin;
  private final String topic;

  InstanceWatch(Rig rig) {
    this.admin = rig.admin();
    this.topic = rig.topics().schedules();
  }

  /** The partitions that an instance decides, by its client id. */
  Set<Integer> partitions(String clientId) {
    return members().stream()
        .filter(member -> isOf(clientId, member))
        .flatMap(member -> member.assignment().topicPartitions().stream())
        .filter(partition -> partition.topic().equals(topic))
        .map(partition -> partition.partition())
        .collect(Collectors.toSet());
  }

  /** The transactional ids of the instance that has its state in a directory. */
  Set<String> transactionalIds(Path stateDir) {
    String process = Json.read(stateDir.resolve(PROCESS)).path("processId").asText();
    Set<String> ids = transactions(new ListTransactionsOptions());
    ids.removeIf(id -> !id.contains(process));
    return ids;
  }

  /**
   * The instants at which the broker released what a dead instance held.
   *
   * @param session when its members had left the group
   * @param transactions when none of its transactions was open
   */
  public record Release(Instant session, Instant transactions) {
    public Instant later() {
      return session.isAfter(transactions) ? session : transactions;
    }
  }

  /**
   * What an instance held at the broker when it died. An instance that starts in the same place has
   * the same transactional ids.
   */
  public record Holdings(Set<String> members, Set<String> transactions, Instant gone) {}

  Release awaitRelease(Holdings held, Duration bound) {
    Instant deadline = Await.now().plus(bound);
    Optional<Instant> session = Optional.empty();
    Optional<Instant> ended = Optional.empty();
    while (session.isEmpty() || ended.isEmpty()) {
      if (ended.isEmpty() && !isOneOpen(held.transactions(), held.gone())) {
        ended = Optional.of(Await.now());
      }
      if (session.isEmpty()
          && members().stream().noneMatch(member -> held.members().contains(member.consumerId()))) {
        session = Optional.of(Await.now());
      }
      if (Await.now().isAfter(deadline)) {
        throw new BenchException("a dead instance still holds something after " + bound);
      }
      Await.pass(PAUSE);
    }
    return new Release(session.get(), ended.get());
  }

  /** The ids that the group has given to an instance. */
  Set<String> memberIds(String clientId) {
    return members().stream()
        .filter(member -> isOf(clientId, member))
        .map(MemberDescription::consumerId)
        .collect(Collectors.toSet());
  }

  private boolean isOneOpen(Set<String> ids, Instant begunBefore) {
    Set<String> open = transactions(new ListTransactionsOptions().filterStates(OPEN));
    open.retainAll(ids);
    return !open.isEmpty()
        && get(admin.describeTransactions(open).all()).values().stream()
            .filter(transaction -> OPEN.contains(transaction.state()))
            .mapToLong(transaction -> transaction.transactionStartTimeMs().orElse(0))
            .anyMatch(startMs -> startMs < begunBefore.toEpochMilli());
  }

  private static boolean isOf(String clientId, MemberDescription member) {
    return member.clientId().startsWith(clientId + "-");
  }

  private Collection<MemberDescription> members() {
    return get(admin.describeConsumerGroups(Set.of(Loader.GROUP)).all()).values().stream()
        .flatMap(group -> group.members().stream())
        .toList();
  }

  private Set<String> transactions(ListTransactionsOptions which) {
    return get(admin.listTransactions(which).all()).stream()
        .map(TransactionListing::transactionalId)
        .collect(Collectors.toSet());
  }

  private static <T> T get(KafkaFuture<T> future) {
    return Await.answer("the scheduler's instances", future);
  }

  @Override
  public void close() {
    admin.close();
  }
}
