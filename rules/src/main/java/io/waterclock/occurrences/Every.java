package io.waterclock.occurrences;

import io.waterclock.occurrences.core.Count;
import io.waterclock.occurrences.core.Horizon;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.occurrences.search.CalendarGrid;
import io.waterclock.occurrences.search.Grid;
import io.waterclock.occurrences.search.IntervalUnit;
import io.waterclock.occurrences.search.WallClock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;

/**
 * A grid: {@code anchor + k * n units} for every k from 0. Each point is computed from the anchor,
 * so the grid does not drift.
 *
 * <p>Milliseconds to hours are exact durations. Days to years step on the wall clock of the zone:
 * month ends clamp from the anchor's day (31 January, 28 February, 31 March); a point in a gap of
 * up to three hours occurs at the end of the gap, a point in a longer gap does not occur, and a
 * point in an overlap occurs at the first pass. Every method costs O(1).
 */
public final class Every implements Trigger {

  private final Instant anchor;
  private final LocalDateTime localAnchor;
  private final long n;
  private final IntervalUnit unit;
  private final ZoneId zone;
  private final Grid grid;

  private Every(Instant anchor, LocalDateTime localAnchor, long n, IntervalUnit unit, ZoneId zone) {
    this.anchor = anchor;
    this.localAnchor = localAnchor;
    this.n = n;
    this.unit = unit;
    this.zone = zone;
    this.grid =
        unit.isExact()
            ? Grid.Exact.of(anchor.toEpochMilli(), n, unit)
            : new CalendarGrid(anchor, localAnchor, n, unit, zone);
  }

  /**
   * The grid of every {@code n} units from {@code anchor}, truncated to the millisecond.
   *
   * @throws InvalidTriggerException if {@code n} is below 1 or the anchor outside the years
   *     0000-9999
   */
  public static Every of(Instant anchor, long n, IntervalUnit unit, ZoneId zone) {
    requireValid(anchor, n);
    Instant start = anchor.truncatedTo(ChronoUnit.MILLIS);
    return new Every(start, LocalDateTime.ofInstant(start, zone), n, unit, zone);
  }

  /**
   * As above, from a time on the wall clock of the zone. Days to years keep its time of day, even
   * if the anchor itself lies in a gap.
   */
  public static Every of(LocalDateTime anchor, long n, IntervalUnit unit, ZoneId zone) {
    LocalDateTime local = anchor.truncatedTo(ChronoUnit.MILLIS);
    Instant start = WallClock.of(zone).instant(local);
    if (unit.isExact()) {
      return of(start, n, unit, zone);
    }
    requireValid(start, n);
    return new Every(start, local, n, unit, zone);
  }

  private static void requireValid(Instant anchor, long n) {
    if (n < 1) {
      throw new InvalidTriggerException(
          "every", "an interval of " + n + " never ends", "5 minutes");
    }
    Horizon.require("anchor", anchor, "2026-01-31T09:00:00Z");
  }

  public Instant anchor() {
    return anchor;
  }

  /** The time of the anchor on the wall clock; days to years keep one that a gap skips. */
  public LocalDateTime localAnchor() {
    return localAnchor;
  }

  public long n() {
    return n;
  }

  public IntervalUnit unit() {
    return unit;
  }

  public ZoneId zone() {
    return zone;
  }

  @Override
  public Count count(Instant after, Instant through, long limit) {
    long count = grid.rank(Horizon.clampMs(through)) - grid.rank(Horizon.clampMs(after));
    return Count.exactly(Math.max(0, count));
  }

  @Override
  public Optional<Instant> nthAfter(Instant t, long n) {
    long rank = grid.rank(Horizon.clampMs(t));
    return n >= 1 && n <= grid.size() - rank ? point(rank + n - 1) : Optional.empty();
  }

  @Override
  public Optional<Instant> nthAtOrBefore(Instant t, long n) {
    long rank = grid.rank(Horizon.clampMs(t));
    return n >= 1 && n <= rank ? point(rank - n) : Optional.empty();
  }

  private Optional<Instant> point(long index) {
    return Optional.of(Instant.ofEpochMilli(grid.point(index)));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Every that
        && anchor.equals(that.anchor)
        && localAnchor.equals(that.localAnchor)
        && n == that.n
        && unit == that.unit
        && zone.equals(that.zone);
  }

  @Override
  public int hashCode() {
    return Objects.hash(anchor, localAnchor, n, unit, zone);
  }

  @Override
  public String toString() {
    return "Every[" + n + " " + unit + " from " + anchor + " in " + zone + "]";
  }
}
