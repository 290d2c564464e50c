package io.waterclock.occurrences.search;

import io.waterclock.occurrences.core.Civil;
import io.waterclock.occurrences.core.Horizon;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * Points at a fixed number of days or months on the wall clock of a zone.
 *
 * <p>Idea: the wall-clock times {@code local(k)} are plain arithmetic, and mapping them to instants
 * keeps their order. So the number of points at or before an instant is estimated on the wall clock
 * and then corrected by the one or two points that a clock change or a month end moves past it. The
 * few points that fall into a jump of more than three hours (a handful of zones have one such jump)
 * are found once, and taken out of the numbering.
 *
 * <p>Cost: O(1) for rank and point: a few dozen nanoseconds.
 *
 * <p>Example: monthly from 2026-01-31T09:00 in Berlin. local(1) is 28 February 09:00, local(2) 31
 * March 09:00. For 2026-03-30 the estimate is two months, local(2) lies after it: rank 2.
 */
public final class CalendarGrid implements Grid {

  private static final long MS_PER_DAY = Civil.SECONDS_PER_DAY * 1000;

  /** More days, and more months, than the horizon has: such a step leaves one point. */
  private static final long LONGEST_STEP = 4_000_000;

  private final ZoneTimeline zone;
  private final long anchorMs;
  private final int anchorDay;
  private final int anchorDate;
  private final long msOfDay;
  private final long stepDays;
  private final long stepMonths;
  private final long lastStep;
  private final long[] skipped;

  /** Every {@code n} units from an anchor: its instant, and its time on the wall clock. */
  public CalendarGrid(
      Instant anchor, LocalDateTime localAnchor, long n, IntervalUnit unit, ZoneId zone) {
    this.zone = ZoneTimeline.of(zone);
    long anchorLocalMs = localAnchor.toInstant(ZoneOffset.UTC).toEpochMilli();
    long capped = Math.min(n, LONGEST_STEP);
    this.anchorMs = anchor.toEpochMilli();
    this.anchorDay = (int) Math.floorDiv(anchorLocalMs, MS_PER_DAY);
    this.anchorDate = Civil.date(anchorDay);
    this.msOfDay = Math.floorMod(anchorLocalMs, MS_PER_DAY);
    this.stepDays = Math.min(capped * unit.days(), LONGEST_STEP);
    this.stepMonths = Math.min(capped * unit.months(), LONGEST_STEP);
    this.lastStep = lastStepAtOrBefore(Horizon.LAST_MS);
    this.skipped = skipped();
  }

  @Override
  public long size() {
    return lastStep + 1 - skipped.length;
  }

  @Override
  public long rank(long ms) {
    if (ms < anchorMs) {
      return 0;
    }
    long step = lastStepAtOrBefore(ms);
    return step + 1 - Arrays.stream(skipped).filter(k -> k <= step).count();
  }

  @Override
  public long point(long index) {
    long step = index;
    for (long k : skipped) {
      if (k <= step) {
        step++;
      }
    }
    return instant(step);
  }

  private long instant(long step) {
    return step == 0 ? anchorMs : zone.instantOfLocalMs(local(step));
  }

  private long local(long step) {
    if (stepDays > 0) {
      return (anchorDay + step * stepDays) * MS_PER_DAY + msOfDay;
    }
    int months = (int) (months(anchorDate) + step * stepMonths);
    int year = Math.floorDiv(months, 12);
    int month = Math.floorMod(months, 12) + 1;
    int day = Math.min(Civil.day(anchorDate), Civil.length(year, month));
    return (Civil.firstDay(year, month) + day - 1) * MS_PER_DAY + msOfDay;
  }

  private static int months(int date) {
    return Civil.year(date) * 12 + Civil.month(date) - 1;
  }

  /** Below 1 for an instant before the anchor. */
  private long lastStepAtOrBefore(long ms) {
    int day = (int) Math.floorDiv(zone.localMs(ms), MS_PER_DAY);
    long step =
        stepDays > 0
            ? (day - anchorDay) / stepDays
            : (months(Civil.date(day)) - months(anchorDate)) / stepMonths;
    while (step > 0 && instant(step) > ms) {
      step--;
    }
    while (instant(step + 1) <= ms) {
      step++;
    }
    return step;
  }

  private long[] skipped() {
    return Arrays.stream(zone.longGaps())
        .mapToObj(this::skippedAt)
        .flatMapToLong(steps -> steps)
        .toArray();
  }

  /** The steps whose wall-clock time the jump at the start of a segment leaves out. */
  private LongStream skippedAt(int segment) {
    long gapEnd = zone.start(segment);
    long after = lastStepAtOrBefore(gapEnd * 1000);
    return LongStream.rangeClosed(Math.max(0, after - 1), after)
        .filter(k -> instant(k) == gapEnd * 1000 && local(k) < zone.firstShown(segment) * 1000);
  }
}
