package io.waterclock.topology.stream;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/** Wall time in whole milliseconds that never runs backwards within a partition. */
final class TaskClock {
  private final InstantSource wall;
  private Instant latest = Instant.EPOCH;

  TaskClock(InstantSource wall) {
    this.wall = wall;
  }

  /** Never returns less than {@code instant} from now on. */
  void notBefore(Instant instant) {
    if (instant.isAfter(latest)) {
      latest = instant;
    }
  }

  Instant now() {
    notBefore(wall.instant().truncatedTo(ChronoUnit.MILLIS));
    return latest;
  }
}
