package io.waterclock.topology.scheduler.task;

import java.time.Duration;
import java.time.Instant;

/**
 * Token bucket of fires: begins empty, grows with time, and holds at most the fires of one second.
 */
final class RateLimit {
  private static final long SECOND_MS = 1_000;

  private final int rate;
  private Instant grownAt = Instant.MAX;
  private long milliFires;

  /**
   * @param rate fires a second, 1 or more
   */
  RateLimit(int rate) {
    this.rate = rate;
  }

  /**
   * @param now not before the call before
   */
  void grow(Instant now) {
    long elapsedMs =
        now.isAfter(grownAt) ? Math.min(SECOND_MS, Duration.between(grownAt, now).toMillis()) : 0;
    milliFires = Math.min(rate * SECOND_MS, milliFires + elapsedMs * rate);
    grownAt = now;
  }

  int left() {
    return (int) (milliFires / SECOND_MS);
  }

  void use(int fires) {
    milliFires -= fires * SECOND_MS;
  }
}
