package io.waterclock.sim.broker;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * A model of the brokers: all topics, whose partitions have transactions, compaction and retention;
 * the coordinator of transactions; and the groups. One thread, and time is an argument. {@code
 * BrokerModelTest} compares it with Kafka.
 */
public final class Broker {
  private final Map<String, TopicRules> rules = new LinkedHashMap<>();
  private final Map<Place, PartitionLog> logs = new LinkedHashMap<>();
  private final Map<String, Group> groups = new LinkedHashMap<>();
  private final Map<String, Transaction> transactions = new LinkedHashMap<>();
  private long producers;
  private long nowMs;

  /** A producer with a transactional id; fenced by a newer one. */
  public record Producer(String transactionalId, long id, int epoch) {}

  private static final class Transaction {
    private final long id;
    private final long timeoutMs;
    private int epoch;
    private Optional<Long> begunMs = Optional.empty();

    /** What was asked for, while the markers are not written. */
    private Optional<Boolean> prepared = Optional.empty();

    /** Write the marker to each partition and group that has a part; true to commit. */
    private final Map<String, Consumer<Boolean>> markers = new LinkedHashMap<>();

    Transaction(long id, long timeoutMs) {
      this.id = id;
      this.timeoutMs = timeoutMs;
    }
  }

  public void create(String topic, int partitions, TopicRules how) {
    rules.put(topic, how);
    for (int p = 0; p < partitions; p++) {
      logs.put(new Place(topic, p), new PartitionLog());
    }
  }

  public Group createGroup(String name, int partitions) {
    return groups.computeIfAbsent(name, any -> new Group(partitions));
  }

  public Group group(String name) {
    return found(groups.get(name), name);
  }

  public PartitionLog log(Place place) {
    return found(logs.get(place), place.toString());
  }

  public TopicRules rules(String topic) {
    return found(rules.get(topic), topic);
  }

  private static <T> T found(@org.jspecify.annotations.Nullable T thing, String name) {
    if (thing == null) {
      throw new IllegalArgumentException("there is no " + name);
    }
    return thing;
  }

  /** Sets the clock of the brokers; aborts transactions and expels members whose time is over. */
  public void advanceTo(long ms) {
    nowMs = Math.max(nowMs, ms);
    for (Transaction transaction : transactions.values()) {
      if (transaction.prepared.isEmpty()
          && transaction.begunMs.filter(at -> at + transaction.timeoutMs < nowMs).isPresent()) {
        transaction.epoch++;
        transaction.prepared = Optional.of(false);
        complete(transaction);
      }
    }
    groups.values().forEach(group -> group.expire(nowMs));
  }

  /** When the next session of a member of a group ends, if nothing keeps it alive. */
  public Optional<Long> nextExpiryMs() {
    return groups.values().stream()
        .flatMap(group -> group.nextExpiryMs().stream())
        .min(Long::compare);
  }

  /** When the next transaction times out. */
  public Optional<Long> nextTimeoutMs() {
    return transactions.values().stream()
        .flatMap(t -> t.begunMs.map(at -> at + t.timeoutMs + 1).stream())
        .min(Long::compare);
  }

  /** Appends a record outside a transaction. */
  public long append(Place place, Message message) {
    return log(place).append(message, nowMs);
  }

  /** Begins to use a transactional id: aborts what an earlier producer left open, and fences it. */
  public Producer initialise(String transactionalId, long timeoutMs) {
    Transaction transaction =
        transactions.computeIfAbsent(
            transactionalId, any -> new Transaction(producers++, timeoutMs));
    if (transaction.begunMs.isPresent()) {
      if (transaction.prepared.isEmpty()) {
        transaction.prepared = Optional.of(false);
      }
      complete(transaction);
    }
    transaction.epoch++;
    return new Producer(transactionalId, transaction.id, transaction.epoch);
  }

  private Transaction of(Producer producer) {
    Transaction transaction = found(transactions.get(producer.transactionalId()), "producer");
    if (transaction.epoch != producer.epoch()) {
      throw new BrokerException(
          BrokerException.Reason.FENCED,
          producer + " is not the newest, which has the epoch " + transaction.epoch);
    }
    return transaction;
  }

  private Transaction begun(Producer producer) {
    Transaction transaction = of(producer);
    if (transaction.prepared.isPresent()) {
      complete(transaction);
    }
    if (transaction.begunMs.isEmpty()) {
      transaction.begunMs = Optional.of(nowMs);
    }
    return transaction;
  }

  /** Appends a record to the producer's transaction, which begins with its first record. */
  public long append(Producer producer, Place place, Message message) {
    Transaction transaction = begun(producer);
    PartitionLog log = log(place);
    transaction.markers.put(
        place.toString(), isCommitted -> log.end(transaction.id, isCommitted, nowMs));
    return log.append(message, transaction.id, nowMs);
  }

  /**
   * Adds the offsets of a group to the transaction, if the member is in this generation. Without
   * offsets nothing is asked of the group: a producer sends no empty list.
   */
  public void commitOffsets(
      Producer producer,
      String group,
      Group.Assignment of,
      String member,
      Map<Place, Long> offsets) {
    Transaction transaction = begun(producer);
    if (offsets.isEmpty()) {
      return;
    }
    Group its = group(group);
    its.commitInTransaction(transaction.id, member, of.generation(), offsets);
    transaction.markers.put(group, isCommitted -> its.end(transaction.id, isCommitted));
  }

  /** Decides the end of the transaction. Its markers are written later: {@link #complete()}. */
  public void end(Producer producer, boolean isCommitted) {
    Transaction transaction = of(producer);
    if (transaction.begunMs.isPresent() && transaction.prepared.isEmpty()) {
      transaction.prepared = Optional.of(isCommitted);
    }
  }

  /** Writes the markers of all decided transactions. */
  public void complete() {
    decided().forEach(this::complete);
  }

  /** Writes one marker of one of the decided transactions. */
  public void completeSome(SplittableRandom random) {
    Transaction transaction = oneOf(decided(), random);
    if (transaction.markers.size() > 1) {
      String where = oneOf(List.copyOf(transaction.markers.keySet()), random);
      found(transaction.markers.remove(where), where).accept(transaction.prepared.orElseThrow());
    } else {
      complete(transaction);
    }
  }

  private static <T> T oneOf(List<T> things, SplittableRandom random) {
    return things.get(random.nextInt(things.size()));
  }

  private List<Transaction> decided() {
    return transactions.values().stream()
        .filter(transaction -> transaction.prepared.isPresent())
        .toList();
  }

  /** True while the markers of a decided transaction are not written. */
  public boolean isCompleting() {
    return transactions.values().stream().anyMatch(t -> t.prepared.isPresent());
  }

  private void complete(Transaction transaction) {
    boolean isCommitted = transaction.prepared.orElseThrow();
    transaction.markers.values().forEach(marker -> marker.accept(isCommitted));
    transaction.markers.clear();
    transaction.begunMs = Optional.empty();
    transaction.prepared = Optional.empty();
  }

  /** Cleans all partitions, up to a number of records at the end of each. */
  public void clean(int active) {
    for (Map.Entry<Place, PartitionLog> entry : new ArrayList<>(logs.entrySet())) {
      TopicRules how = rules(entry.getKey().topic());
      PartitionLog log = entry.getValue();
      if (how.isCompacted()) {
        log.compact(how, log.highWatermark() - active, nowMs);
      } else {
        log.expire(how, nowMs);
      }
    }
  }
}
