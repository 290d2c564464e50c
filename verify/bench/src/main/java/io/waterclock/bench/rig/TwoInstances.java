package io.waterclock.bench.rig;

import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.BenchException;
import io.waterclock.bench.run.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.KafkaFuture;

/**
 * Two instances of a scheduler that share the partitions of a {@link Rig}, and may go and come.
 * What they hold is seen at the broker: which partitions each has, when one has fallen out of the
 * group, when its transactions have ended. So the time-outs that a recovery waits for are seen, and
 * not taken from settings.
 */
public final class TwoInstances implements AutoCloseable {
  public static final String A = "a";
  public static final String B = "b";

  private static final Duration BALANCE_BOUND = Duration.ofMinutes(3);
  private static final Duration RELEASE_BOUND = Duration.ofMinutes(1);
  private static final Duration LOOK = Duration.ofMillis(250);
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final Set<TransactionState> OPEN =
      EnumSet.of(
          TransactionState.ONGOING,
          TransactionState.PREPARE_ABORT,
          TransactionState.PREPARE_COMMIT);

  /** The file in which Kafka Streams keeps the process id, a part of its transactional ids. */
  private static final Path PROCESS = Path.of(Loader.GROUP, "kafka-streams-process-metadata");

  private final Rig rig;
  private final Map<String, String> settings;
  private final boolean isStatic;
  private final Admin admin;
  private final String topic;

  /**
   * @param settings of both
   * @param isStatic whether the group knows an instance again when it comes back
   */
  public TwoInstances(Rig rig, Map<String, String> settings, boolean isStatic) {
    this.rig = rig;
    this.settings = settings;
    this.isStatic = isStatic;
    this.admin = rig.admin();
    this.topic = rig.topics().schedules();
  }

  /** Starts both; returns when each decides its share. */
  public void startBoth() {
    launch(A);
    awaitReady(A);
    launch(B);
    awaitBalance();
  }

  /** Starts an instance, in its old place if it had one; does not wait for it. */
  public void launch(String name) {
    Map<String, String> all = new TreeMap<>(settings);
    all.put("client.id", name);
    if (isStatic) {
      all.put("main.consumer.group.instance.id", name);
    }
    rig.launch(name, all);
  }

  void awaitReady(String name) {
    rig.scheduler(name).tell(MeasuredScheduler::awaitReady);
  }

  /** Returns when both have as many partitions, and decide them. */
  public void awaitBalance() {
    int share = rig.partitions() / 2;
    Await.until(
        "each instance has " + share + " partitions",
        BALANCE_BOUND,
        LOOK,
        () -> partitions(A).size() >= share && partitions(B).size() >= share);
    awaitReady(A);
    awaitReady(B);
  }

  /** Ends an instance as {@code kill -9} does. */
  public Holdings kill(String name) {
    Set<String> members = memberIds(name);
    Set<String> transactions = transactionalIds(rig.stateDir(name));
    rig.scheduler(name).kill();
    return new Holdings(members, transactions, Await.now());
  }

  public Instant close(String name) {
    rig.scheduler(name).close();
    return Await.now();
  }

  /** The partitions that an instance decides, by its client id. */
  public Set<Integer> partitions(String clientId) {
    return members().stream()
        .filter(member -> isOf(clientId, member))
        .flatMap(member -> member.assignment().topicPartitions().stream())
        .filter(partition -> partition.topic().equals(topic))
        .map(partition -> partition.partition())
        .collect(Collectors.toSet());
  }

  /** The transactional ids of the instance that has its state in a directory. */
  private Set<String> transactionalIds(Path stateDir) {
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

  /** Returns when the broker has released what a dead instance held. */
  public Release awaitRelease(Holdings held) {
    Instant deadline = Await.now().plus(RELEASE_BOUND);
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
        throw new BenchException("a dead instance still holds something after " + RELEASE_BOUND);
      }
      Await.pass(PAUSE);
    }
    return new Release(session.get(), ended.get());
  }

  /** The ids that the group has given to an instance. */
  private Set<String> memberIds(String clientId) {
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
