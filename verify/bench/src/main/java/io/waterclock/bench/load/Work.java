package io.waterclock.bench.load;

import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The work of every contender: schedules that are first due evenly over a span of time, or all at
 * one instant.
 *
 * @param phase four letters that begin their ids
 * @param count how many schedules
 * @param start when the first is due
 * @param spread over how long the others follow; zero for all at once
 * @param kind of the schedules
 */
public record Work(String phase, int count, Instant start, Duration spread, ScheduleKind kind)
    implements Serializable {
  /** Schedules that are all due once, at one instant. */
  public static Work herd(String phase, int count, Instant due) {
    return new Work(phase, count, due, Duration.ZERO, ScheduleKind.ONCE);
  }

  /**
   * When a schedule is due first: rounded down to a millisecond.
   *
   * @param number from 0 to the count, exclusive
   */
  public Instant due(int number) {
    return start.plusMillis(number * spread.toMillis() / count);
  }

  public boolean isHerd() {
    return spread.isZero();
  }

  /** After which each is due again; empty when it is due once. */
  public Optional<Duration> interval() {
    return kind.interval();
  }
}
