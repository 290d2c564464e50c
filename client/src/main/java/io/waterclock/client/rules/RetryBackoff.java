package io.waterclock.client.rules;

import io.waterclock.schemas.avro.BackoffGrowth;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Pauses between the attempts of a run.
 *
 * <p>{@code DOUBLING}: {@code backoff * 2^(attempt - 1)}, at most ten minutes, of which between
 * half and all is waited, so that what failed together does not come back together ("equal
 * jitter"). {@code CONSTANT}: {@code backoff} each time, to the letter.
 */
final class RetryBackoff {
  private static final Duration LONGEST = Duration.ofMinutes(10);
  private static final int MAX_SHIFT = 30;

  private RetryBackoff() {}

  /**
   * @param attempt the one that has failed, from 1
   */
  static Duration after(int attempt, RunPolicy policy, RandomGenerator random) {
    if (policy.growth() == BackoffGrowth.CONSTANT) {
      return policy.backoff();
    }
    Duration full = policy.backoff().multipliedBy(1L << Math.min(attempt - 1, MAX_SHIFT));
    long fullNanos = (full.compareTo(LONGEST) < 0 ? full : LONGEST).toNanos();
    return Duration.ofNanos(fullNanos - (long) (random.nextDouble() * fullNanos / 2));
  }
}
