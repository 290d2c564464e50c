package io.waterclock.occurrences.search;

import io.waterclock.occurrences.core.Civil;
import io.waterclock.occurrences.core.Horizon;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;

/**
 * Converts between instants and the dates that the wall clock of a zone shows. Dates are epoch
 * days. Instants are whole milliseconds within the {@link Horizon}. Immutable and safe for use by
 * several threads; a call costs a few dozen nanoseconds.
 */
public record WallClock(ZoneTimeline zone) {
  private static final long MS_PER_DAY = Civil.SECONDS_PER_DAY * 1000;

  public static WallClock of(ZoneId zone) {
    return new WallClock(ZoneTimeline.of(zone));
  }

  /**
   * The instant of a wall-clock time, whole milliseconds: the end of a gap, the first pass of an
   * overlap.
   */
  public Instant instant(LocalDateTime local) {
    return Instant.ofEpochMilli(
        zone.instantOfLocalMs(local.toInstant(ZoneOffset.UTC).toEpochMilli()));
  }

  /** The date that the wall clock shows. */
  public long day(Instant at) {
    return Math.floorDiv(zone.localMs(at.toEpochMilli()), MS_PER_DAY);
  }

  /**
   * The instant on another day with the same wall-clock time as {@code at}, by the rule for jobs at
   * fixed times: the end of a gap of up to three hours, the first pass of an overlap. Empty if the
   * time lies in a longer gap.
   */
  public Optional<Instant> sameTimeOn(long day, Instant at) {
    long time = Math.floorMod(zone.localMs(at.toEpochMilli()), MS_PER_DAY);
    long local = day * MS_PER_DAY + time;
    long ms = zone.instantOfLocalMs(local);
    return zone.isLeftOut(local, ms) ? Optional.empty() : Optional.of(Instant.ofEpochMilli(ms));
  }

  /**
   * The end, exclusive, of the period from {@code at} in which the offset does not change and the
   * date is before {@code day}. After {@code at} if the date at {@code at} is before {@code day}.
   * Once in 400 years the period is shorter than it could be.
   */
  public Instant evenlyBefore(long day, Instant at) {
    long ms = at.toEpochMilli();
    long offsetMs = zone.localMs(ms) - ms;
    return Instant.ofEpochMilli(Math.min(day * MS_PER_DAY - offsetMs, zone.nextChangeMs(ms)));
  }
}
