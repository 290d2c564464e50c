package io.waterclock.topology.scheduler.task;

import java.time.Duration;
import java.time.Instant;

/**
 * How many more fires a rate allows. Grows with time, up to what it allows in a second; begins with
 * nothing.
 */
final class RateLimit {
  private static final long SECOND_MS = 1_000;

  private final int rate;
  private Instant grownAt = Instant.MAX;
  private long thousandths;

  /**
   * @param rate fires a second, 1 or more
   */
  RateLimit(int rate) {
    this.rate = rate;
  }

  /**
   * @param now never earlier than at the call before
   */
  void grow(Instant now) {
    long elapsedMs =
        now.isAfter(grownAt) ? Math.min(SECOND_MS, Duration.between(grownAt, now).toMillis()) : 0;
    thousandths = Math.min(rate * SECOND_MS, thousandths + elapsedMs * rate);
    grownAt = now;
  }

  int left() {
    return (int) (thousandths / SECOND_MS);
  }

  void use(int fires) {
    thousandths -= fires * SECOND_MS;
  }
}
