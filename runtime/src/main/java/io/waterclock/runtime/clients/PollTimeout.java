package io.waterclock.runtime.clients;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Computes how long a stream thread may poll for records while its tasks are idle.
 *
 * <p>Kafka Streams polls for {@code poll.ms}, and each of its rounds costs some hundred
 * microseconds, even without work. {@code poll.ms} is short so that fires are on time. While
 * nothing is due, a longer poll saves rounds, and still returns with the first record.
 *
 * <p>For its stream thread only. Times are values of {@link System#nanoTime}.
 */
final class PollTimeout {
  /** The maximum lateness of a tick after an unforeseen clock step. */
  static final Duration LONGEST = Duration.ofMillis(500);

  /**
   * How long after a record tasks without ticks are not idle: some commit intervals of the router
   * and the intake. A thread commits between two polls, so a long poll would delay the commit.
   */
  static final Duration UNTIL_COMMITTED = Duration.ofMillis(300);

  private final boolean hasTicks;
  private final Map<Integer, Long> idleUntil = new HashMap<>();
  private Optional<Long> readAtNanos = Optional.empty();

  private PollTimeout(boolean hasTicks) {
    this.hasTicks = hasTicks;
  }

  /** For tasks that tick, and say how long they are idle. */
  static PollTimeout ofTicks() {
    return new PollTimeout(true);
  }

  /** For tasks that work only when they get a record. */
  static PollTimeout ofRecords() {
    return new PollTimeout(false);
  }

  /** A poll returned a record. */
  void read(long nowNanos) {
    readAtNanos = Optional.of(nowNanos);
  }

  /**
   * @param task the number of its partition
   * @param time the idle time unless a record comes; zero or less when the task has work
   */
  void task(int task, Duration time, long nowNanos) {
    Duration idle = time.compareTo(LONGEST) < 0 ? time : LONGEST;
    if (idle.isNegative() || idle.isZero()) {
      idleUntil.remove(task);
    } else {
      idleUntil.put(task, nowNanos + idle.toNanos());
    }
  }

  /**
   * Returns the poll timeout: zero, once, when the idle time of a task has ended in the meantime,
   * as during a commit.
   *
   * @param least the shortest timeout otherwise
   * @param tasks all tasks of the thread
   */
  Duration of(Duration least, Set<Integer> tasks, long nowNanos) {
    if (!hasTicks) {
      boolean mayCommit =
          readAtNanos.filter(at -> nowNanos - at < UNTIL_COMMITTED.toNanos()).isPresent();
      return mayCommit || tasks.isEmpty() ? least : LONGEST;
    }
    idleUntil.keySet().retainAll(tasks);
    if (idleUntil.values().removeIf(end -> end - nowNanos <= 0)) {
      return Duration.ZERO;
    }
    if (idleUntil.isEmpty() || idleUntil.size() < tasks.size()) {
      return least;
    }
    long nanos = LONGEST.toNanos();
    for (long end : idleUntil.values()) {
      nanos = Math.min(nanos, end - nowNanos);
    }
    return nanos > least.toNanos() ? Duration.ofNanos(nanos) : least;
  }
}
