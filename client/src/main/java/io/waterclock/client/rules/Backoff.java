package io.waterclock.client.rules;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Pauses between the attempts of a run: {@code backoff * 2^(attempt - 1)}, at most ten minutes, of
 * which between half and all is waited, so that what failed together does not come back together
 * ("equal jitter").
 */
final class Backoff {
  private static final Duration LONGEST = Duration.ofMinutes(10);
  private static final int MAX_SHIFT = 30;

  private Backoff() {}

  /**
   * @param attempt the one that has failed, from 1
   */
  static Duration after(int attempt, Duration backoff, RandomGenerator random) {
    Duration full = backoff.multipliedBy(1L << Math.min(attempt - 1, MAX_SHIFT));
    long fullNanos = (full.compareTo(LONGEST) < 0 ? full : LONGEST).toNanos();
    return Duration.ofNanos(fullNanos - (long) (random.nextDouble() * fullNanos / 2));
  }
}
