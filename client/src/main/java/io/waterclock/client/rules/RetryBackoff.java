package io.waterclock.client.rules;

import io.waterclock.schemas.avro.BackoffGrowth;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The backoff between the attempts of a run.
 *
 * <p>{@code DOUBLING}: {@code backoff * 2^(attempt - 1)}, at most ten minutes. The worker waits a
 * random time between half of it and all of it, so that runs that failed together do not retry
 * together ("equal jitter"). {@code CONSTANT}: exactly {@code backoff} each time.
 */
final class RetryBackoff {
  private static final Duration LONGEST = Duration.ofMinutes(10);
  private static final int MAX_SHIFT = 30;

  private RetryBackoff() {}

  /**
   * @param attempt the number of the failed attempt, from 1
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
