package io.waterclock.topology.stream;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/**
 * Wall time in whole milliseconds that never runs backwards within a partition, and never follows a
 * clock that cannot be believed: one bad step would otherwise stay, as time cannot go back.
 */
final class TaskClock {
  private final InstantSource wall;
  private final ClockGuard guard;
  private Instant latest = Instant.EPOCH;

  TaskClock(InstantSource wall, ClockGuard guard) {
    this.wall = wall;
    this.guard = guard;
  }

  /** Never returns less than {@code instant} from now on. */
  void notBefore(Instant instant) {
    if (instant.isAfter(latest)) {
      latest = instant;
    }
  }

  /** True while the wall clock can be believed. */
  boolean isTrusted() {
    return guard.isTrusted();
  }

  /** The time; while the wall clock cannot be believed, the latest time at which it could. */
  Instant now() {
    if (guard.isTrusted()) {
      notBefore(wall());
    }
    return latest;
  }

  /**
   * The time at which a record is taken in. While the wall clock cannot be believed, the record's
   * own timestamp stands in for it, unless that is later still.
   */
  Instant nowFor(Instant timestamp) {
    if (guard.isTrusted()) {
      return now();
    }
    Instant wall = wall();
    Instant believed = timestamp.isBefore(wall) ? timestamp : wall;
    return believed.isAfter(latest) ? believed : latest;
  }

  private Instant wall() {
    return wall.instant().truncatedTo(ChronoUnit.MILLIS);
  }
}
