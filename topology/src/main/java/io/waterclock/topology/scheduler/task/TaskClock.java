package io.waterclock.topology.scheduler.task;

import io.waterclock.topology.scheduler.context.ClockGuard;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Wall time in whole milliseconds that never runs backwards within a partition, and never follows
 * an untrusted clock: one bad step forwards would stay, because time cannot go back. So each method
 * reads the clock once, and uses only the reading that the guard has judged.
 */
final class TaskClock {
  private final ClockGuard guard;
  private Instant latest = Instant.EPOCH;

  TaskClock(ClockGuard guard) {
    this.guard = guard;
  }

  /**
   * The time of a partition.
   *
   * @param now while the wall clock is not trusted, the latest trusted time
   */
  record Time(Instant now, boolean isTrusted) {}

  /** From now on the time is at least {@code instant}. */
  void notBefore(Instant instant) {
    if (instant.isAfter(latest)) {
      latest = instant;
    }
  }

  Time read() {
    ClockGuard.Reading reading = guard.read();
    if (reading.isTrusted()) {
      notBefore(wall(reading));
    }
    return new Time(latest, reading.isTrusted());
  }

  /** The time; while the wall clock is not trusted, the latest trusted time. */
  Instant now() {
    return read().now();
  }

  /**
   * The time at which a record is admitted. While the wall clock is not trusted, or is behind that
   * of the brokers, the record's timestamp replaces it, up to the later of the two clocks, and
   * while the wall clock is not trusted up to theirs: what a record says begins neither before the
   * record was written nor in the future.
   */
  Instant nowFor(Instant timestamp) {
    return nowFor(timestamp, guard.read());
  }

  private Instant nowFor(Instant timestamp, ClockGuard.Reading reading) {
    if (reading.isTrusted()) {
      notBefore(wall(reading));
    }
    Instant most = reading.latest().truncatedTo(ChronoUnit.MILLIS);
    Instant believed = timestamp.isBefore(most) ? timestamp : most;
    return believed.isAfter(latest) ? believed : latest;
  }

  /** The time, or that of the brokers if it is later: topics forget by it. */
  Instant byBrokers() {
    ClockGuard.Reading reading = guard.read();
    return reading.isTrusted() ? nowFor(reading.latest(), reading) : latest;
  }

  private static Instant wall(ClockGuard.Reading reading) {
    return reading.wall().truncatedTo(ChronoUnit.MILLIS);
  }
}
