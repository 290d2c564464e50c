package io.waterclock.client.rules;

import io.waterclock.schemas.avro.BackoffGrowth;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Schedule;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * How a worker runs a fire. The policy comes from the fire's schedule; a worker may change it.
 *
 * @param timeout how long a run may take, with all its attempts; the worker then cancels it. Empty:
 *     no limit
 * @param expires how long after the fire was emitted a worker may still start it, exclusive. Empty:
 *     no limit
 * @param tolerance the worker drops a scheduled run that would start sooner than interval -
 *     tolerance after the last start. Empty: off
 * @param maxAttempts the maximum number of attempts, at least 1
 * @param backoff the backoff before the second attempt
 * @param growth whether the backoff doubles before each later attempt, up to ten minutes, or stays
 *     the same. A worker waits a random time between half of a doubling backoff and all of it, so
 *     that runs that failed together do not retry together ("equal jitter")
 * @param retry how long the fire waits, outside the worker, before each further run after its
 *     attempts have failed
 */
public record RunPolicy(
    Optional<Duration> timeout,
    Optional<Duration> expires,
    Optional<Duration> tolerance,
    int maxAttempts,
    Duration backoff,
    BackoffGrowth growth,
    RetryPlan retry) {
  private static final Duration LONGEST = Duration.ofMinutes(10);
  private static final int MAX_SHIFT = 30;

  /**
   * @throws IllegalArgumentException if maxAttempts is below 1 or a duration is negative
   */
  public RunPolicy {
    if (maxAttempts < 1) {
      throw new IllegalArgumentException("maxAttempts " + maxAttempts + " must be at least 1");
    }
    check("timeout", timeout);
    check("expires", expires);
    check("tolerance", tolerance);
    check("backoff", Optional.of(backoff));
  }

  /**
   * The policy of the fire's schedule. The default timeout is half the interval, and none for a
   * schedule that fires once. A schedule says nothing about {@link #retry}: none.
   */
  public static RunPolicy of(Fire fire) {
    Schedule schedule = fire.getSchedule();
    return new RunPolicy(
        schedule.getTimeoutNone()
            ? Optional.empty()
            : ofMs(schedule.getTimeoutMs()).or(() -> halfTheInterval(fire)),
        ofMs(schedule.getExpiresMs()),
        ofMs(schedule.getToleranceMs()),
        Math.max(1, schedule.getMaxAttempts()),
        Duration.ofMillis(Math.max(0, schedule.getBackoffMs())),
        schedule.getBackoffGrowth(),
        RetryPlan.none());
  }

  private static Optional<Duration> halfTheInterval(Fire fire) {
    return Neighbours.intervalAfter(fire)
        .map(interval -> interval.dividedBy(2).truncatedTo(ChronoUnit.MILLIS));
  }

  /** The same policy with another timeout. */
  public RunPolicy withTimeout(Duration other) {
    return new RunPolicy(
        Optional.of(other), expires, tolerance, maxAttempts, backoff, growth, retry);
  }

  /** The same policy without a timeout. */
  public RunPolicy withoutTimeout() {
    return new RunPolicy(Optional.empty(), expires, tolerance, maxAttempts, backoff, growth, retry);
  }

  /** The same policy with another expiry. */
  public RunPolicy withExpires(Duration other) {
    return new RunPolicy(
        timeout, Optional.of(other), tolerance, maxAttempts, backoff, growth, retry);
  }

  /** The same policy with another tolerance. */
  public RunPolicy withTolerance(Duration other) {
    return new RunPolicy(timeout, expires, Optional.of(other), maxAttempts, backoff, growth, retry);
  }

  /** The same policy with another number of attempts and another first backoff. */
  public RunPolicy withAttempts(int most, Duration firstPause) {
    return new RunPolicy(timeout, expires, tolerance, most, firstPause, growth, retry);
  }

  /** The same policy with another growth of the backoff. */
  public RunPolicy withGrowth(BackoffGrowth other) {
    return new RunPolicy(timeout, expires, tolerance, maxAttempts, backoff, other, retry);
  }

  /** The same policy with other waits after the attempts of a run have failed. */
  public RunPolicy withRetry(RetryPlan other) {
    return new RunPolicy(timeout, expires, tolerance, maxAttempts, backoff, growth, other);
  }

  /**
   * The time to wait after a failed attempt.
   *
   * @param attempt the number of the failed attempt, from 1
   */
  Duration backoffAfter(int attempt, RandomGenerator random) {
    if (growth == BackoffGrowth.CONSTANT) {
      return backoff;
    }
    Duration first = backoff.compareTo(LONGEST) < 0 ? backoff : LONGEST;
    Duration full = first.multipliedBy(1L << Math.min(attempt - 1, MAX_SHIFT));
    long fullNanos = (full.compareTo(LONGEST) < 0 ? full : LONGEST).toNanos();
    return Duration.ofNanos(fullNanos - (long) (random.nextDouble() * fullNanos / 2));
  }

  private static Optional<Duration> ofMs(@Nullable Long ms) {
    return Optional.ofNullable(ms).map(given -> Duration.ofMillis(Math.max(0, given)));
  }

  private static void check(String name, Optional<Duration> duration) {
    if (duration.isPresent() && duration.get().isNegative()) {
      throw new IllegalArgumentException(
          name + " " + duration.get() + " must be zero or more, for example PT30S");
    }
  }
}
