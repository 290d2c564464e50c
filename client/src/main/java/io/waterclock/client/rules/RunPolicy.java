package io.waterclock.client.rules;

import io.waterclock.schemas.avro.BackoffGrowth;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Schedule;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a fire is to be run. It comes with the fire, as its schedule says; a worker may change it.
 *
 * @param timeout the time box of a run, all its attempts included; at its end the run is cancelled.
 *     Empty: none
 * @param expires counted from when the fire was emitted: from then on (inclusive) it is not started
 *     any more. Empty: never
 * @param tolerance a scheduled run that starts sooner than interval - tolerance after the last
 *     start is dropped. Empty: off
 * @param maxAttempts how often a fire is tried, at least 1
 * @param backoff before the second attempt
 * @param growth whether the pauses before later attempts are twice as long each, or all the same;
 *     see {@link RetryBackoff}
 */
public record RunPolicy(
    Optional<Duration> timeout,
    Optional<Duration> expires,
    Optional<Duration> tolerance,
    int maxAttempts,
    Duration backoff,
    BackoffGrowth growth) {

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
   * What the fire's schedule says. Where it says nothing of a timeout it is half the interval, and
   * none for what fires once.
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
        schedule.getBackoffGrowth());
  }

  private static Optional<Duration> halfTheInterval(Fire fire) {
    return Neighbours.intervalAfter(fire)
        .map(interval -> Duration.ofMillis(interval.toMillis() / 2));
  }

  /** The same with another time box. */
  public RunPolicy withTimeout(Duration other) {
    return new RunPolicy(Optional.of(other), expires, tolerance, maxAttempts, backoff, growth);
  }

  /** The same without a time box. */
  public RunPolicy withoutTimeout() {
    return new RunPolicy(Optional.empty(), expires, tolerance, maxAttempts, backoff, growth);
  }

  /** The same with another expiry. */
  public RunPolicy withExpires(Duration other) {
    return new RunPolicy(timeout, Optional.of(other), tolerance, maxAttempts, backoff, growth);
  }

  /** The same with another tolerance. */
  public RunPolicy withTolerance(Duration other) {
    return new RunPolicy(timeout, expires, Optional.of(other), maxAttempts, backoff, growth);
  }

  /** The same with other retries. */
  public RunPolicy withAttempts(int most, Duration firstPause) {
    return new RunPolicy(timeout, expires, tolerance, most, firstPause, growth);
  }

  /** The same with pauses between attempts that grow in another way. */
  public RunPolicy withGrowth(BackoffGrowth other) {
    return new RunPolicy(timeout, expires, tolerance, maxAttempts, backoff, other);
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
