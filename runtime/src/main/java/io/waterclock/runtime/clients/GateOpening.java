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
 *
 * <p>The gate of an application that follows another one waits for several things, each up to the
 * moment at which the one before was done: that all inputs of the other are read, that their strays
 * are, and that each task of the other has acted. It closes when the other stops reading, too: then
 * something may be written that it does not act on.
 */
public final class GateOpening {
  /** How long a task that has read its own inputs waits until the other partitions are read. */
  public static final Duration FOR_OTHERS = Duration.ofSeconds(30);

  /** The same for a task of an application that follows another one. */
  static final Duration FOR_FOLLOWED = Duration.ofMinutes(10);

  /** How often a task that follows others asks whether they still read. */
  private static final Duration FOLLOWING = Duration.ofSeconds(1);

  /** How often it looks for the answer: a task asks for each record whether its gate is open. */
  private static final Duration LOOK = Duration.ofMillis(20);

  /** How often a stall makes that wait begin again: a thread may stall all the time. */
  static final int MOST_BEGUN_AGAIN = 3;

  private static final Logger LOG = SafeLogger.of(GateOpening.class);

  /**
   * How an application goes on that is followed.
   *
   * @param reads its inputs, up to where they can be read
   * @param decides what its tasks show while they decide
   * @param mayLag how long it may not read, or not decide
   */
  record Followed(Others reads, Others decides, Duration mayLag) {
    List<TopicPartition> unread(int partition, long sinceNanos) {
      List<TopicPartition> unread = reads.unread(partition, sinceNanos);
      return unread.isEmpty() ? decides.unread(partition, sinceNanos) : unread;
    }
  }

  private final FreshEnds ends;
  private final StallDetector stalls;
  private final List<Others> others;
  private final Optional<Followed> followed;
  private final int partition;
  private final LongSupplier nanos;
  private boolean open;

  /** When the task had read its own inputs; then it waits for the others. */
  private Optional<Long> readAtNanos = Optional.empty();

  /** The stalls of the thread until then. */
  private long stallsBefore;

  private int begunAgain;
  private boolean hasSaidWaiting;
  private boolean othersAreRead;

  /** How many of the others are read, and when the last of these was. */
  private int done;

  private long doneAtNanos;

  /** While open: up to when the followed inputs have to be read. */
  private long followedNanos;

  private long lookedNanos;

  /** False when it opened without them, until they are read. */
  private boolean areFollowed;

  private List<TopicPartition> unreadOthers = List.of();

  /**
   * @param ends of the inputs of the task, that of its strays among them
   * @param stalls of the thread of the task
   * @param partition the number of the task
   * @param nanos monotonic time in nanoseconds
   */
  public GateOpening(
      FreshEnds ends, StallDetector stalls, Others others, int partition, LongSupplier nanos) {
    this(ends, stalls, List.of(others), Optional.empty(), partition, nanos);
  }

  private GateOpening(
      FreshEnds ends,
      StallDetector stalls,
      List<Others> others,
      Optional<Followed> followed,
      int partition,
      LongSupplier nanos) {
    this.ends = ends;
    this.stalls = stalls;
    this.others = others;
    this.followed = followed;
    this.partition = partition;
    this.nanos = nanos;
  }

  /**
   * Of a task that follows another application.
   *
   * @param others in their order; the first are the inputs of the other application, up to the
   *     records of open transactions
   * @param followed how the other application goes on
   */
  static GateOpening following(
      FreshEnds ends,
      StallDetector stalls,
      List<Others> others,
      Followed followed,
      int partition,
      LongSupplier nanos) {
    return new GateOpening(ends, stalls, others, Optional.of(followed), partition, nanos);
  }

  /** The task asks this before it decides. */
  public boolean isOpen() {
    if (!open && followed.isPresent()) {
      long now = nanos.getAsLong();
      if (hasJustLooked(now)) {
        return false;
      }
      lookedNanos = now;
    }
    boolean isReached = ends.areReached();
    if (open && (!isReached || haveFollowedStopped())) {
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
      hasSaidWaiting = false;
      followedNanos = nanos.getAsLong();
      lookedNanos = followedNanos;
      areFollowed = unreadOthers.isEmpty();
      unreadOthers = List.of();
      logOpening();
    }
    return open;
  }

  /** What was written elsewhere during a stall must be read, too. */
  private boolean hasStalledSinceRead() {
    return !open && readAtNanos.isPresent() && stalls.stalls() != stallsBefore;
  }

  /** True when a record of an input that is followed was not read for the time of a stall. */
  private boolean haveFollowedStopped() {
    long now = nanos.getAsLong();
    if (followed.isEmpty() || hasJustLooked(now)) {
      return false;
    }
    if (now - lookedNanos > FOLLOWING.toNanos()) {
      followedNanos = now; // the task has not asked, so nothing has answered
    }
    lookedNanos = now;
    List<TopicPartition> unread = followed.get().unread(partition, followedNanos);
    if (unread.isEmpty()) {
      areFollowed = true;
      followedNanos = now - followedNanos < FOLLOWING.toNanos() ? followedNanos : now;
      return false;
    }
    boolean haveStopped = areFollowed && now - followedNanos > followed.get().mayLag().toNanos();
    if (haveStopped) {
      LOG.warn("Partition {}: nothing is decided until {} is read", partition, unread.get(0));
    }
    return haveStopped;
  }

  private boolean hasJustLooked(long now) {
    return now - lookedNanos < LOOK.toNanos();
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
      done = 0;
      doneAtNanos = now;
    }
    unreadOthers = unread(now);
    Duration patience = followed.isPresent() ? FOR_FOLLOWED : FOR_OTHERS;
    long waited = now - readAtNanos.get();
    if (!unreadOthers.isEmpty() && waited <= patience.toNanos()) {
      sayWaiting(waited);
      return false;
    }
    if (!unreadOthers.isEmpty()) {
      LOG.warn(
          "Partition {}: deciding begins although other partitions are not read yet, such as {}: a"
              + " delete or a pause there of one of its schedules takes effect when it is read",
          partition,
          unreadOthers.get(0));
    }
    if (others.stream().anyMatch(Others::exist)) {
      ends.askAgain();
    }
    return true;
  }

  private void sayWaiting(long waited) {
    if (!hasSaidWaiting && waited > FOR_OTHERS.toNanos()) {
      hasSaidWaiting = true;
      LOG.warn(
          "Partition {}: nothing is decided yet, because the scheduler has not acted on what was"
              + " written to {}",
          partition,
          unreadOthers.get(0));
    }
  }

  private List<TopicPartition> unread(long now) {
    for (; done < others.size(); done++) {
      List<TopicPartition> unread = others.get(done).unread(partition, doneAtNanos);
      if (done == 0 && !unread.isEmpty() && isTooLong(now)) {
        unread = followed.map(it -> it.reads().unread(partition, doneAtNanos)).orElse(unread);
      }
      if (!unread.isEmpty()) {
        return unread;
      }
      doneAtNanos = now;
    }
    return List.of();
  }

  /** True when a transaction that is open may be what the other application waits for. */
  private boolean isTooLong(long now) {
    return readAtNanos
        .filter(since -> now - since > InputPartition.OPEN_TRANSACTION.toNanos())
        .isPresent();
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
