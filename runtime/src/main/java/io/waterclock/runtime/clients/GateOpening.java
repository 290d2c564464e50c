package io.waterclock.runtime.clients;

import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.topology.scheduler.guard.FreshEnds;
import io.waterclock.topology.scheduler.guard.StallDetector;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;

/**
 * Decides when a gate is open: when the task has passed a fresh end of each input, as {@link
 * FreshEnds} defines it; then the other partitions are read up to that moment; and then the task
 * has read what other tasks found there for it. The gate stays open until the thread stalls. For
 * one thread.
 */
public final class GateOpening {
  /** How long a task that has read its own inputs waits until the other partitions are read. */
  public static final Duration FOR_OTHERS = Duration.ofSeconds(30);

  /** How often a stall makes that wait begin again: a thread may stall all the time. */
  static final int MOST_BEGUN_AGAIN = 3;

  private static final Logger LOG = SafeLogger.of(GateOpening.class);

  private final FreshEnds ends;
  private final StallDetector stalls;
  private final OtherPartitions others;
  private final int partition;
  private final LongSupplier nanos;
  private boolean open;

  /** When the task had read its own inputs; then it waits for the others. */
  private Optional<Long> readAtNanos = Optional.empty();

  /** The stalls of the thread until then. */
  private long stallsBefore;

  private int begunAgain;
  private boolean othersAreRead;
  private List<TopicPartition> unreadOthers = List.of();

  /**
   * @param ends of the inputs of the task, that of its strays among them
   * @param stalls of the thread of the task
   * @param partition the number of the task
   * @param nanos monotonic time in nanoseconds
   */
  public GateOpening(
      FreshEnds ends,
      StallDetector stalls,
      OtherPartitions others,
      int partition,
      LongSupplier nanos) {
    this.ends = ends;
    this.stalls = stalls;
    this.others = others;
    this.partition = partition;
    this.nanos = nanos;
  }

  /** The task asks this before it decides. */
  public boolean isOpen() {
    boolean isReached = ends.areReached();
    if (open && !isReached) {
      open = false;
      begunAgain = 0;
      waitForOthersAgain();
    } else if (hasStalledSinceRead() && begunAgain < MOST_BEGUN_AGAIN) {
      begunAgain++;
      waitForOthersAgain();
    } else if (!open && isReached && !othersAreRead) {
      othersAreRead = othersAreRead(nanos.getAsLong());
      isReached = othersAreRead && ends.areReached();
    }
    if (!open && isReached && othersAreRead) {
      open = true;
      logOpening();
    }
    return open;
  }

  /** What was written elsewhere during a stall must be read, too. */
  private boolean hasStalledSinceRead() {
    return !open && readAtNanos.isPresent() && stalls.stalls() != stallsBefore;
  }

  private void waitForOthersAgain() {
    othersAreRead = false;
    readAtNanos = Optional.empty();
  }

  /** The answer to the last {@link #isOpen}. */
  boolean wasOpen() {
    return open;
  }

  /** Of the other partitions, those that the task waits for. */
  List<TopicPartition> unreadOthers() {
    return unreadOthers;
  }

  /** When they are, the task reads once more to the end of its inputs: that of strays above all. */
  private boolean othersAreRead(long now) {
    if (readAtNanos.isEmpty()) {
      readAtNanos = Optional.of(now);
      stallsBefore = stalls.stalls();
    }
    long since = readAtNanos.get();
    unreadOthers = others.unread(partition, since);
    if (!unreadOthers.isEmpty() && now - since <= FOR_OTHERS.toNanos()) {
      return false;
    }
    if (!unreadOthers.isEmpty()) {
      LOG.warn(
          "Partition {}: deciding begins although other partitions are not read yet, such as {}: a"
              + " delete or a pause there of one of its schedules takes effect when it is read",
          partition,
          unreadOthers.get(0));
      unreadOthers = List.of();
    }
    if (others.exist()) {
      ends.askAgain();
    }
    return true;
  }

  private void logOpening() {
    if (ends.areLagging()) {
      LOG.warn(
          "Partition {}: records arrive faster than they are read, so deciding begins with a lag: a"
              + " delete or a pause takes effect when it is read",
          partition);
    } else {
      LOG.info("Partition {}: read to its ends, deciding begins", partition);
    }
  }
}
