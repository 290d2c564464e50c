package io.waterclock.bench.load;

import java.time.Duration;
import java.time.Instant;

/**
 * An evenly spread load: fire k is due at start + k / rate, rounded down to a millisecond, and does
 * not wait for the fires before it. Schedules take turns: those with an interval fire once in each,
 * those without once.
 *
 * @param start when the first fire is due
 * @param rate fires per second
 * @param warmUp at the beginning, not counted
 * @param counted what follows
 * @param kind of the schedules
 */
public record OpenLoop(
    Instant start, int rate, Duration warmUp, Duration counted, ScheduleKind kind) {

  /** The same load with another beginning. */
  public OpenLoop from(Instant first) {
    return new OpenLoop(first, rate, warmUp, counted, kind);
  }

  /** In which each schedule fires once. */
  private Duration turn() {
    return kind.interval().orElse(warmUp.plus(counted));
  }

  public int schedules() {
    return Math.toIntExact(rate * turn().toSeconds());
  }

  public Work work(String phase) {
    return new Work(phase, schedules(), start, turn(), kind);
  }

  public int countedFires() {
    return Math.toIntExact(rate * counted.toSeconds());
  }

  public int allFires() {
    return Math.toIntExact(rate * (warmUp.toSeconds() + counted.toSeconds()));
  }

  public Instant due(long k) {
    return start.plusMillis(k * 1_000 / rate);
  }

  public Instant end() {
    return start.plus(warmUp).plus(counted);
  }

  public boolean isCounted(long dueMs) {
    long sinceMs = dueMs - start.plus(warmUp).toEpochMilli();
    return sinceMs >= 0 && sinceMs < counted.toMillis();
  }

  /**
   * Numbers the counted fires from 0.
   *
   * @param schedule the number of the schedule, below {@link #schedules}
   */
  public int number(long dueMs, int schedule) {
    long round = (dueMs - start.toEpochMilli()) / turn().toMillis();
    return Math.toIntExact(round * schedules() + schedule - rate * warmUp.toSeconds());
  }
}
