package io.waterclock.topology.scheduler.task;

import java.time.Duration;
import java.time.Instant;

/**
 * Token bucket, of fires or of bytes: begins empty, grows with time, and holds at most the tokens
 * of one second.
 */
final class RateLimit {
  private static final long SECOND_MS = 1_000;

  private final int rate;
  private Instant grownAt = Instant.MAX;
  private long milliTokens;

  /**
   * @param rate tokens a second, 1 or more
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
    milliTokens = Math.min(rate * SECOND_MS, milliTokens + elapsedMs * rate);
    grownAt = now;
  }

  /** Fills it, as if a second had passed. */
  void fill(Instant now) {
    milliTokens = rate * SECOND_MS;
    grownAt = now;
  }

  /** Whole tokens; below zero after more were used than there were. */
  int left() {
    return (int) Math.floorDiv(milliTokens, SECOND_MS);
  }

  void use(int tokens) {
    milliTokens -= tokens * SECOND_MS;
  }
}
