package io.waterclock.runtime.clients;

import io.waterclock.topology.scheduler.guard.StallDetector;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The main consumer of a stream thread. It remembers what it returned of each partition that a gate
 * asks for, and the offset at which each task began to read, and extends its poll timeout while the
 * tasks are idle. For its thread only, like any consumer.
 */
final class WatchedConsumer extends KafkaConsumer<byte[], byte[]> {
  private static final Duration OFFSETS_WAIT = Duration.ofMillis(200);

  /** How often commits include what only the consumer has passed. */
  private static final long PASSED_NANOS = Duration.ofMillis(100).toNanos();

  /** Of partitions that a gate asks for. */
  private final Map<TopicPartition, Returned> returned = new HashMap<>();

  /** Of partitions that this consumer has got: the first record that it returned since then. */
  private final Map<TopicPartition, Long> firstReturned = new HashMap<>();

  private final Map<TopicPartition, OffsetAndMetadata> unread = new HashMap<>();

  /** Of partitions that this consumer has: what the thread has committed. */
  private final Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>();

  private long passedAtNanos = System.nanoTime();
  private final PollTimeout pollTimeout;
  private boolean hasWaitedForOffsets;
  private final StallDetector stallDetector =
      new StallDetector(System::nanoTime, InstantSource.system());

  WatchedConsumer(Map<String, Object> config, PollTimeout pollTimeout) {
    super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    this.pollTimeout = pollTimeout;
  }

  @Override
  public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
    stallDetector.beat();
    hasWaitedForOffsets = false;
    ConsumerRecords<byte[], byte[]> records =
        super.poll(
            timeout.isZero() ? timeout : pollTimeout.of(timeout, tasks(), System.nanoTime()));
    stallDetector.beat();
    if (!records.isEmpty()) {
      pollTimeout.read(System.nanoTime());
    }
    Returned.note(records, returned);
    for (TopicPartition partition : records.partitions()) {
      firstReturned.putIfAbsent(partition, records.records(partition).get(0).offset());
    }
    return records;
  }

  /**
   * The committed offsets of partitions, as a task asks for them that begins. The broker does not
   * know them while a transaction is open that commits such offsets, as that of a dead instance is
   * until it times out. Kafka's consumer waits for the answer; the tasks that the thread already
   * has would stand still with it. So this one gives up soon, and waits once between two polls:
   * Kafka Streams asks again after the next poll.
   *
   * <p>The consumer reads on from there. It may have returned more, to a task that was closed when
   * a commit failed. Kafka Streams seeks back only for the same task object, and replaces that
   * object if a rebalance ends before it is initialized again: then records would be skipped.
   *
   * @throws TimeoutException if the offsets are not known yet
   */
  @Override
  public Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> partitions) {
    if (hasWaitedForOffsets) {
      throw new TimeoutException("the offsets of a transaction that has not ended are not known");
    }
    try {
      Map<TopicPartition, OffsetAndMetadata> offsets = super.committed(partitions, OFFSETS_WAIT);
      partitions.forEach(
          partition -> begin(partition, Optional.ofNullable(offsets.get(partition))));
      return offsets;
    } catch (TimeoutException e) {
      hasWaitedForOffsets = true;
      throw e;
    }
  }

  private void begin(TopicPartition partition, Optional<OffsetAndMetadata> committed) {
    unread.put(partition, committed.orElse(new OffsetAndMetadata(0)));
    Optional.ofNullable(firstReturned.get(partition))
        .map(first -> committed.orElse(new OffsetAndMetadata(first)))
        .ifPresent(next -> seek(partition, next));
  }

  /** An offset that a commit may repeat: that of a partition whose task has read nothing yet. */
  Optional<Map.Entry<TopicPartition, OffsetAndMetadata>> unread() {
    return unread.entrySet().stream().findFirst();
  }

  /**
   * Positions to commit beside those of records, of partitions whose records are all processed. A
   * position passes the markers of transactions and what was aborted, which no task sees; other
   * instances compare the committed offset with the end of the partition. Empty most of the time.
   */
  Map<TopicPartition, OffsetAndMetadata> passed() {
    long now = System.nanoTime();
    if (now - passedAtNanos < PASSED_NANOS) {
      return Map.of();
    }
    passedAtNanos = now;
    Map<TopicPartition, OffsetAndMetadata> passed = new HashMap<>();
    for (TopicPartition partition : assignment()) {
      Returned of = returned.get(partition);
      if (of != null && !of.isBehind()) {
        knownPosition(partition)
            .filter(of::passes)
            .map(OffsetAndMetadata::new)
            .ifPresent(position -> passed.put(partition, position));
      }
    }
    passed.forEach(unread::replace); // what is repeated must not be less
    return passed;
  }

  /** True when a commit of these offsets would change nothing. */
  boolean hasCommitted(Map<TopicPartition, OffsetAndMetadata> offsets) {
    return committed.entrySet().containsAll(offsets.entrySet());
  }

  /** The thread has committed these offsets. */
  void committed(Map<TopicPartition, OffsetAndMetadata> offsets) {
    committed.putAll(offsets);
  }

  /** The transaction of the thread was aborted. */
  void aborted() {
    returned.values().forEach(Returned::aborted);
  }

  /**
   * Empty while the consumer does not know where to begin. To wait for that would hold up the other
   * tasks of the thread: a broker answers the consumer's request after its pending fetch.
   */
  Optional<Long> knownPosition(TopicPartition partition) {
    try {
      return Optional.of(position(partition, Duration.ZERO));
    } catch (NoOffsetForPartitionException | TimeoutException e) {
      return Optional.empty();
    }
  }

  /** Tasks have read partitions. */
  void read(Set<TopicPartition> partitions) {
    unread.keySet().removeAll(partitions);
  }

  @Override
  public void subscribe(Collection<String> topics, ConsumerRebalanceListener listener) {
    super.subscribe(topics, new Forgetting(listener));
  }

  @Override
  public void subscribe(Pattern topics, ConsumerRebalanceListener listener) {
    super.subscribe(topics, new Forgetting(listener));
  }

  /** Offsets of partitions that are gone belong to their new owners. */
  private final class Forgetting implements ConsumerRebalanceListener {
    private final ConsumerRebalanceListener next;

    Forgetting(ConsumerRebalanceListener next) {
      this.next = next;
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      next.onPartitionsAssigned(partitions);
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      try {
        next.onPartitionsRevoked(partitions); // it may commit, and fail
      } finally {
        forgetAll(partitions);
      }
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
      forgetAll(partitions);
      next.onPartitionsLost(partitions);
    }

    private void forgetAll(Collection<TopicPartition> partitions) {
      unread.keySet().removeAll(partitions);
      committed.keySet().removeAll(partitions);
      firstReturned.keySet().removeAll(partitions);
    }
  }

  StallDetector stallDetector() {
    return stallDetector;
  }

  /**
   * Records how long a task is idle unless a record comes.
   *
   * @param partition the number of the task's partition
   * @param time zero or less when the task has work
   */
  void idleFor(int partition, Duration time) {
    pollTimeout.task(partition, time, System.nanoTime());
  }

  private Set<Integer> tasks() {
    Set<Integer> tasks = new HashSet<>();
    assignment().forEach(partition -> tasks.add(partition.partition()));
    return tasks;
  }

  /** What was returned of a partition since {@link #forget}. */
  Returned returned(TopicPartition partition) {
    return returned.computeIfAbsent(partition, unknown -> new Returned());
  }

  void forget(TopicPartition partition) {
    returned.remove(partition);
  }
}
