package io.waterclock.topology.runtime.clients;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * How long a stream thread may wait for records while none of its tasks has anything to do.
 *
 * <p>Kafka Streams polls for {@code poll.ms} at a time, and each of its rounds costs some hundred
 * microseconds, whatever there is to do. {@code poll.ms} is short so that fires are on time; it
 * need not be when nothing is due. A poll returns with the first record all the same.
 *
 * <p>Used by its stream thread alone. Times are those of {@link System#nanoTime}.
 */
final class PollTimeout {
  /** So long a tick may come late that nobody has foreseen: when the clock was set forward. */
  static final Duration LONGEST = Duration.ofMillis(100);

  private final Map<Integer, Long> ends = new HashMap<>();

  /**
   * @param task the number of its partition
   * @param time for which it has nothing to do unless a record comes; not above zero when it has
   */
  void task(int task, Duration time, long nowNanos) {
    Duration rest = time.compareTo(LONGEST) < 0 ? time : LONGEST;
    if (rest.isNegative() || rest.isZero()) {
      ends.remove(task);
    } else {
      ends.put(task, nowNanos + rest.toNanos());
    }
  }

  /**
   * How long to wait.
   *
   * @param least how long at least
   * @param tasks all that the thread has
   */
  Duration of(Duration least, Set<Integer> tasks, long nowNanos) {
    ends.keySet().retainAll(tasks);
    if (ends.isEmpty() || ends.size() < tasks.size()) {
      return least;
    }
    long nanos = LONGEST.toNanos();
    for (long end : ends.values()) {
      nanos = Math.min(nanos, end - nowNanos);
    }
    return nanos > least.toNanos() ? Duration.ofNanos(nanos) : least;
  }
}
