package io.waterclock.topology.scheduler.task;

import io.waterclock.topology.scheduler.context.ClockGuard;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Wall time in whole milliseconds that never runs backwards within a partition, and never follows a
 * clock that cannot be believed: one bad step would otherwise stay, as time cannot go back. So each
 * method reads the clock once, and takes over nothing but the reading that was judged.
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
   * @param now while the wall clock cannot be believed, the latest time at which it could
   */
  record Time(Instant now, boolean isTrusted) {}

  /** Never returns less than {@code instant} from now on. */
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

  /** The time; while the wall clock cannot be believed, the latest time at which it could. */
  Instant now() {
    return read().now();
  }

  /**
   * The time at which a record is taken in. While the wall clock cannot be believed, the record's
   * own timestamp stands in for it, unless that is later still.
   */
  Instant nowFor(Instant timestamp) {
    ClockGuard.Reading reading = guard.read();
    Instant wall = wall(reading);
    if (reading.isTrusted()) {
      notBefore(wall);
      return latest;
    }
    Instant believed = timestamp.isBefore(wall) ? timestamp : wall;
    return believed.isAfter(latest) ? believed : latest;
  }

  private static Instant wall(ClockGuard.Reading reading) {
    return reading.wall().truncatedTo(ChronoUnit.MILLIS);
  }
}
