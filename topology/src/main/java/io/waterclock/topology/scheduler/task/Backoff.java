package io.waterclock.topology.scheduler.task;

import java.time.Duration;
import java.time.Instant;

/**
 * Pauses between tries of what keeps failing: each is twice as long as the one before, up to a
 * longest one. Not thread-safe.
 */
final class Backoff {
  private final Duration longest;
  private Duration pause;
  private Instant notBefore = Instant.MIN;

  /**
   * @param first after the first failure
   * @param longest after the later ones, at least {@code first}
   */
  Backoff(Duration first, Duration longest) {
    this.pause = first;
    this.longest = longest;
  }

  /** True when the pause after the latest failure is over. */
  boolean mayTry(Instant now) {
    return !now.isBefore(notBefore);
  }

  /**
   * A try has failed.
   *
   * @return the pause that begins with it
   */
  Duration failed(Instant now) {
    Duration current = pause;
    notBefore = now.plus(current);
    Duration twice = current.multipliedBy(2);
    pause = twice.compareTo(longest) < 0 ? twice : longest;
    return current;
  }
}
