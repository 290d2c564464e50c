package io.waterclock.bench;

import java.time.Duration;
import java.time.Instant;

/**
 * An evenly spread load: fire k is due at start + k / rate, rounded down to a millisecond, whatever
 * became of the fires before it. Schedules take turns: those with an interval fire once in each,
 * those without once.
 *
 * @param start when the first fire is due
 * @param rate fires per second
 * @param warmUp at the beginning, not counted
 * @param counted what follows
 * @param kind of the schedules
 */
record OpenLoop(Instant start, int rate, Duration warmUp, Duration counted, Kind kind) {

  /** In which each schedule fires once. */
  private Duration turn() {
    return kind.inLoop().orElse(warmUp.plus(counted));
  }

  int schedules() {
    return Math.toIntExact(rate * turn().toSeconds());
  }

  Work work(String phase) {
    return new Work(phase, schedules(), start, turn(), kind.inLoop());
  }

  int countedFires() {
    return Math.toIntExact(rate * counted.toSeconds());
  }

  int allFires() {
    return Math.toIntExact(rate * (warmUp.toSeconds() + counted.toSeconds()));
  }

  /** When fire k is due. */
  Instant due(long k) {
    return start.plusMillis(k * 1_000 / rate);
  }

  /** When the last fire is due. */
  Instant end() {
    return start.plus(warmUp).plus(counted);
  }

  boolean isCounted(long dueMs) {
    long sinceMs = dueMs - start.plus(warmUp).toEpochMilli();
    return sinceMs >= 0 && sinceMs < counted.toMillis();
  }

  /**
   * Numbers the counted fires from 0.
   *
   * @param schedule the number of the schedule, below {@link #schedules}
   */
  int number(long dueMs, int schedule) {
    long round = (dueMs - start.toEpochMilli()) / turn().toMillis();
    return Math.toIntExact(round * schedules() + schedule - rate * warmUp.toSeconds());
  }
}
