package io.waterclock.occurrences.search;

import io.waterclock.occurrences.core.Days;
import io.waterclock.occurrences.core.Effort;
import io.waterclock.occurrences.core.EveryDay;
import io.waterclock.occurrences.core.Horizon;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.occurrences.core.Periods;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Turns a rule that was read into a search, from an anchor in a zone.
 *
 * <p>Days and longer periods follow the wall clock; hours and shorter ones have exact lengths from
 * the anchor. BY parts always refer to the wall clock.
 */
final class RRuleSearch {

  private static final int SECONDS_PER_DAY = 86_400;
  private static final long ALL_SIXTY = (1L << 60) - 1;
  private static final long ALL_HOURS = (1L << 24) - 1;

  /** More periods of any kind than the horizon has: such an interval leaves the first one. */
  private static final long LONGEST_INTERVAL = 4_000_000;

  /**
   * The most days after which a period must return to its time of day, if the rule has BY parts.
   */
  private static final long LONGEST_DRIFT = 1500;

  /** To look at so many times of a day costs a step. */
  private static final int TIMES_OF_STEP = 8;

  private final RRuleParts parts;
  private final long anchor;
  private final ZoneTimeline zone;
  private final long localAnchor;
  private final TimesOfDay times;
  private final Days days;
  private final Effort effort;

  private RRuleSearch(
      RRuleParts parts, long anchor, long localAnchor, ZoneTimeline zone, Effort effort) {
    this.parts = parts;
    this.anchor = anchor;
    this.zone = zone;
    this.effort = effort;
    this.localAnchor = parts.frequency().isExact() ? zone.local(anchor) : localAnchor;
    this.times = times(parts, Math.floorMod(this.localAnchor, SECONDS_PER_DAY));
    this.days = new RRuleDays(parts, (int) Math.floorDiv(this.localAnchor, SECONDS_PER_DAY)).days();
  }

  /**
   * The search for a rule's occurrences, without COUNT and UNTIL. The caller drops occurrences
   * before the anchor.
   *
   * @param anchor in epoch seconds
   * @param localAnchor its wall-clock time in local seconds, for days and longer periods; a gap may
   *     skip it
   * @param effort counts the steps of reading in its total
   * @throws InvalidTriggerException if a search could need unbounded time
   */
  static Search of(
      RRuleParts parts, long anchor, long localAnchor, ZoneTimeline zone, Effort effort) {
    RRuleSearch search = new RRuleSearch(parts, anchor, localAnchor, zone, effort);
    return parts.frequency().isExact() ? search.inTime() : search.onTheWallClock();
  }

  private Search onTheWallClock() {
    WallClockPattern pattern = new WallClockPattern(days, times);
    Optional<Numbers> positions = positions((long) mostDaysInPeriod() * times.count());
    if (parts.interval() == 1 && positions.isEmpty()) {
      return new CronSearch(pattern, zone, false);
    }
    Periods periods =
        switch (parts.frequency()) {
          case YEARLY -> new Periods.Months(12);
          case MONTHLY -> new Periods.Months(1);
          case WEEKLY -> new Periods.Pieces(startOfSomeWeek(), 7L * SECONDS_PER_DAY);
          default -> new Periods.Pieces(0, SECONDS_PER_DAY);
        };
    long interval = Math.min(parts.interval(), LONGEST_INTERVAL);
    Recurrence recurrence =
        new Recurrence(
            pattern,
            periods,
            periods.index(localAnchor),
            interval,
            positions,
            Cycle.ofPeriods(interval, parts.frequency().perCycle()),
            localAnchor - SECONDS_PER_DAY,
            Horizon.LAST_SECOND + SECONDS_PER_DAY);
    return new RecurringTimes(recurrence, zone);
  }

  private int mostDaysInPeriod() {
    int ofMonth = parts.numbers(RRulePart.BYMONTHDAY).size();
    int ofWeek = parts.weekdays().stream().mapToInt(day -> day.n() == 0 ? 5 : 1).sum();
    return switch (parts.frequency()) {
      case YEARLY -> 366;
      case MONTHLY ->
          parts.has(RRulePart.BYMONTHDAY) && parts.has(RRulePart.BYDAY)
              ? Math.min(ofMonth, ofWeek)
              : Math.max(1, ofMonth + ofWeek);
      case WEEKLY -> Math.max(1, parts.weekdays().size());
      default -> 1;
    };
  }

  /** 1970-01-01 was a Thursday. */
  private long startOfSomeWeek() {
    return (parts.weekStart() - 4L) * SECONDS_PER_DAY;
  }

  private Search inTime() {
    int unit = parts.frequency().seconds();
    long step = (long) unit * parts.interval();
    boolean single = !expands(parts);
    if (single && days == EveryDay.INSTANCE && times.count() == SECONDS_PER_DAY) {
      return new SteadySearch(anchor, step);
    }
    CronSearch shown = new CronSearch(new WallClockPattern(days, times), zone, true);
    Optional<Numbers> positions = positions(mostInPeriod());
    if ((single ? step : parts.interval()) == 1 && positions.isEmpty()) {
      return shown;
    }
    requireBoundedDrift(step);
    long base = single ? anchor : anchor - Math.floorMod(localAnchor, unit);
    long width = single ? 1 : unit;
    Recurrence recurrence =
        new Recurrence(
            new RecurringInstants.Shown(shown),
            new Periods.Pieces(base, width),
            0,
            step / width,
            positions,
            Cycle.ofSeconds(step, zone),
            base,
            lastMeeting(base, step, width));
    return new RecurringInstants(recurrence);
  }

  /** Whether a period may hold several times, else it holds the one that the anchor has in it. */
  private static boolean expands(RRuleParts parts) {
    return switch (parts.frequency()) {
      case HOURLY -> parts.has(RRulePart.BYMINUTE) || parts.has(RRulePart.BYSECOND);
      case MINUTELY -> parts.has(RRulePart.BYSECOND);
      default -> false;
    };
  }

  private long mostInPeriod() {
    int seconds = Long.bitCount(times.seconds());
    return !expands(parts)
        ? 1
        : parts.frequency() == Frequency.HOURLY
            ? Long.bitCount(times.minutes()) * seconds
            : seconds;
  }

  private Optional<Numbers> positions(long mostInPeriod) {
    if (!parts.has(RRulePart.BYSETPOS)) {
      return Optional.empty();
    }
    List<Integer> given = parts.numbers(RRulePart.BYSETPOS);
    Numbers positions =
        Numbers.of(given.stream().filter(position -> Math.abs(position) <= mostInPeriod).toList());
    if (positions.isEmpty()) {
      throw RRuleProblem.neverOccurs("BYSETPOS: no period has that many occurrences");
    }
    return Optional.of(positions);
  }

  private void requireBoundedDrift(long step) {
    long drift = step / Cycle.gcd(step, SECONDS_PER_DAY);
    if (drift > LONGEST_DRIFT) {
      throw RRuleProblem.in(
          RRulePart.INTERVAL,
          ("%s %ss come back to their time of day only after %s days; with BY parts at most"
                  + " %s are allowed, so take an interval that divides a day more evenly")
              .formatted(parts.interval(), parts.frequency().unit(), drift, LONGEST_DRIFT));
    }
  }

  /**
   * The last second at which periods can meet the times of day at all. Both repeat daily except for
   * the zone's offset, so checking the offsets is enough: first the future offsets, then the past
   * ones back to the last with which they meet. Before all time if they never do.
   */
  private long lastMeeting(long base, long step, long width) {
    long phases = Cycle.gcd(step, SECONDS_PER_DAY);
    Map<Integer, Boolean> known = new HashMap<>();
    int segment = zone.lastSegment();
    while (segment >= 0
        && !known.computeIfAbsent(
            zone.offset(segment), offset -> meets(offset + base, phases, width))) {
      segment--;
    }
    return segment >= zone.cycle() ? Horizon.LAST_SECOND : zone.end(segment);
  }

  private boolean meets(long shift, long phases, long width) {
    int second = times.first();
    int looks = 1;
    while (second >= 0 && Math.floorMod(second - shift, phases) >= width) {
      second = times.next(second + 1);
      looks++;
    }
    effort.count(looks / TIMES_OF_STEP);
    return second >= 0;
  }

  static TimesOfDay times(RRuleParts parts, long anchor) {
    Frequency frequency = parts.frequency();
    boolean exact = frequency.isExact();
    boolean single = exact && !expands(parts);
    boolean anyMinute = single || frequency == Frequency.MINUTELY;
    return new TimesOfDay(
        parts.bits(RRulePart.BYSECOND, single ? ALL_SIXTY : 1L << (anchor % 60)),
        parts.bits(RRulePart.BYMINUTE, anyMinute ? ALL_SIXTY : 1L << (anchor / 60 % 60)),
        parts.bits(RRulePart.BYHOUR, exact ? ALL_HOURS : 1L << (anchor / 3600)));
  }
}
