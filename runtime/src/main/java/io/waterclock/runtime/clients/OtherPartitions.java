package io.waterclock.runtime.clients;

import io.waterclock.schemas.log.SafeLogger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;

/**
 * Up to when the scheduler, with all its instances, has read each partition of its inputs: strays
 * are in partitions that other tasks read. A record counts as read when its offset is committed;
 * then the strays before it are in their home partitions of the strays topic.
 *
 * <p>Costs two or three requests a round, for all tasks of the instance, and only while one of them
 * asks. Thread-safe; no call waits for a broker.
 */
public final class OtherPartitions implements Others {
  private static final Logger LOG = SafeLogger.of(OtherPartitions.class);

  /** How often the committed offsets are asked for. */
  private static final Duration INTERVAL = Duration.ofMillis(50);

  /** After this time the ends are asked for again, whatever is not read up to them. */
  private static final Duration LONGEST_ROUND = Duration.ofSeconds(1);

  /** Asks the brokers. */
  public interface Brokers {
    /** The ends of partitions; 0 for an empty partition. */
    CompletableFuture<Map<TopicPartition, Long>> ends(List<TopicPartition> partitions);

    /** The committed offsets of the application's group; no entry where it has committed none. */
    CompletableFuture<Map<TopicPartition, OffsetAndMetadata>> committed();
  }

  private static final class Round {
    private final long askedAtNanos;
    private final CompletableFuture<Map<TopicPartition, Long>> ends;
    private Optional<CompletableFuture<Map<TopicPartition, OffsetAndMetadata>>> committed =
        Optional.empty();
    private long committedAskedAtNanos;

    Round(long askedAtNanos, CompletableFuture<Map<TopicPartition, Long>> ends) {
      this.askedAtNanos = askedAtNanos;
      this.ends = ends;
    }
  }

  private final Brokers brokers;
  private final List<TopicPartition> partitions;
  private final boolean areAllOthers;
  private final LongSupplier nanos;
  private final Map<TopicPartition, Long> readSince = new HashMap<>();
  private Optional<Round> round = Optional.empty();

  /**
   * Of a task of the scheduler, which waits for its own partitions by itself.
   *
   * @param topics the inputs in which strays may be
   * @param nanos monotonic time in nanoseconds
   */
  public OtherPartitions(Brokers brokers, List<String> topics, int partitions, LongSupplier nanos) {
    this(brokers, topics, partitions, false, nanos);
  }

  /**
   * As the other, for a task of another application: no partition is its own.
   *
   * @param topics the inputs of the scheduler
   */
  public static OtherPartitions ofScheduler(
      Brokers brokers, List<String> topics, int partitions, LongSupplier nanos) {
    return new OtherPartitions(brokers, topics, partitions, true, nanos);
  }

  private OtherPartitions(
      Brokers brokers,
      List<String> topics,
      int partitions,
      boolean areAllOthers,
      LongSupplier nanos) {
    this.brokers = brokers;
    this.areAllOthers = areAllOthers;
    this.nanos = nanos;
    this.partitions = new ArrayList<>();
    for (String topic : topics) {
      for (int partition = 0; partition < partitions; partition++) {
        this.partitions.add(new TopicPartition(topic, partition));
      }
    }
  }

  @Override
  public boolean exist() {
    return areAllOthers || partitions.stream().anyMatch(it -> it.partition() > 0);
  }

  /**
   * @param partition the number of the task that asks, whose own partitions do not count
   */
  @Override
  public synchronized List<TopicPartition> unread(int partition, long sinceNanos) {
    List<TopicPartition> unread = unreadNow(partition, sinceNanos);
    if (!unread.isEmpty()) {
      advance(sinceNanos);
      unread = unreadNow(partition, sinceNanos);
    }
    return unread;
  }

  private List<TopicPartition> unreadNow(int partition, long sinceNanos) {
    return partitions.stream()
        .filter(other -> areAllOthers || other.partition() != partition)
        .filter(other -> !isReadSince(other, sinceNanos))
        .toList();
  }

  private boolean isReadSince(TopicPartition partition, long sinceNanos) {
    Long read = readSince.get(partition);
    return read != null && read - sinceNanos >= 0;
  }

  private void advance(long sinceNanos) {
    long now = nanos.getAsLong();
    if (round.filter(current -> isOver(current, sinceNanos, now)).isPresent()) {
      round = Optional.empty();
    }
    if (round.isEmpty()) {
      round = Optional.of(new Round(now, brokers.ends(partitions)));
    }
    try {
      compare(round.get(), now);
    } catch (CompletionException e) {
      LOG.debug("What other tasks have read is not known; asking again", e);
      round.get().committed = Optional.empty();
      if (round.get().ends.isCompletedExceptionally()
          && now - round.get().askedAtNanos > LONGEST_ROUND.toNanos()) {
        round = Optional.empty();
      }
    }
  }

  private boolean isOver(Round current, long sinceNanos, long now) {
    boolean isOld = current.askedAtNanos - sinceNanos < 0;
    return isOld
        && (now - current.askedAtNanos > LONGEST_ROUND.toNanos()
            || partitions.stream().allMatch(it -> isReadSince(it, current.askedAtNanos)));
  }

  private void compare(Round current, long now) {
    if (!current.ends.isDone()) {
      return;
    }
    Map<TopicPartition, Long> ends = current.ends.join();
    if (current.committed.filter(CompletableFuture::isDone).isPresent()) {
      Map<TopicPartition, OffsetAndMetadata> committed = current.committed.get().join();
      ends.forEach(
          (partition, end) -> {
            OffsetAndMetadata read = committed.get(partition);
            if (end == 0 || (read != null && read.offset() >= end)) {
              readSince.merge(partition, current.askedAtNanos, Math::max);
            }
          });
    }
    boolean isAsked =
        current.committed.isPresent()
            && (!current.committed.get().isDone()
                || now - current.committedAskedAtNanos < INTERVAL.toNanos());
    if (!isAsked) {
      current.committedAskedAtNanos = now;
      current.committed = Optional.of(brokers.committed());
    }
  }
}
