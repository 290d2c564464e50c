package io.waterclock.topology.scheduler.task;

import java.time.Duration;
import java.time.Instant;

/**
 * Exponential backoff: the pause doubles with each failure, up to a longest pause. Not thread-safe.
 */
final class Backoff {
  private final Duration longest;
  private Duration pause;
  private Instant notBefore = Instant.MIN;

  /**
   * @param first the pause after the first failure
   * @param longest the longest pause, at least {@code first}
   */
  Backoff(Duration first, Duration longest) {
    this.pause = first;
    this.longest = longest;
  }

  /** True unless the pause after the latest failure goes on. */
  boolean mayTry(Instant now) {
    return !now.isBefore(notBefore);
  }

  /**
   * Notes a failure.
   *
   * @return the pause that begins now
   */
  Duration failed(Instant now) {
    Duration current = pause;
    notBefore = now.plus(current);
    Duration twice = current.multipliedBy(2);
    pause = twice.compareTo(longest) < 0 ? twice : longest;
    return current;
  }
}
