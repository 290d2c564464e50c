package io.waterclock.occurrences;

import io.waterclock.occurrences.core.Count;
import io.waterclock.occurrences.core.Effort;
import io.waterclock.occurrences.core.EffortSpentException;
import io.waterclock.occurrences.core.Horizon;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.occurrences.core.Quote;
import io.waterclock.occurrences.search.CronSearch;
import io.waterclock.occurrences.search.RRulePart;
import io.waterclock.occurrences.search.RRuleParts;
import io.waterclock.occurrences.search.RRuleProblem;
import io.waterclock.occurrences.search.RRuleReader;
import io.waterclock.occurrences.search.RRuleSearch;
import io.waterclock.occurrences.search.RecurringTimes;
import io.waterclock.occurrences.search.Search;
import io.waterclock.occurrences.search.SteadySearch;
import io.waterclock.occurrences.search.ZoneTimeline;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;

/**
 * A recurrence rule of RFC 5545, such as {@code FREQ=MONTHLY;BYDAY=-1FR;COUNT=12}, read on the wall
 * clock of a zone. The anchor is what iCalendar calls DTSTART: it says where intervals begin to
 * count, and what the rule leaves open, such as the time of day.
 *
 * <ul>
 *   <li>The anchor, cut to the second, is an occurrence if it matches the rule, and only then.
 *       Nothing occurs before it. COUNT counts from it.
 *   <li>Dates that do not exist are left out: {@code FREQ=MONTHLY} from a 31st occurs in seven
 *       months of the year.
 *   <li>Clock changes, for DAILY and longer: what {@link Every} does in days. A time in a gap of up
 *       to three hours occurs at its end, several as one; one in a longer jump does not; one in an
 *       overlap occurs at the first pass.
 *   <li>Clock changes, for HOURLY and shorter: periods are exact lengths of time from the anchor's,
 *       so the cadence is kept. BY parts are read on what the clock shows; an overlap shows a time
 *       twice.
 *   <li>UNTIL is inclusive; as a date it is the end of that day in the zone.
 * </ul>
 *
 * <p>Source: RFC 5545, section 3.3.10. Gregorian only; a second of 60 is rejected.
 *
 * <p>Immutable; safe for use by several threads. A neighbour costs some tens to some hundreds of
 * nanoseconds wherever it lies. Counts and n-th occurrences cost a search for each occurrence if
 * there is an interval beside BY parts, or BYSETPOS; else hardly more than a neighbour.
 */
public final class RRule implements Trigger {

  private final String rule;
  private final Instant anchor;
  private final ZoneId zone;
  private final Search search;
  private final long first;
  private final long last;
  private final Effort effort;

  private RRule(String rule, Instant anchor, ZoneId zone, RRuleParts parts) {
    ZoneTimeline timeline = ZoneTimeline.of(zone);
    this.rule = rule;
    this.anchor = anchor.truncatedTo(ChronoUnit.MILLIS);
    this.zone = zone;
    this.search = RRuleSearch.of(parts, anchor.getEpochSecond(), timeline);
    this.first = first();
    this.last = Math.min(Horizon.LAST_SECOND, last(parts, timeline));
    this.effort = Effort.UNLIMITED;
  }

  private RRule(RRule unmetered, Effort effort) {
    this.rule = unmetered.rule;
    this.anchor = unmetered.anchor;
    this.zone = unmetered.zone;
    this.search = unmetered.search;
    this.first = unmetered.first;
    this.last = unmetered.last;
    this.effort = effort;
  }

  private long first() {
    try {
      long before = Math.floorDiv(anchor.toEpochMilli() - 1, 1000L);
      return search.next(before, Effort.of(Effort.DECISION));
    } catch (EffortSpentException e) {
      throw RRuleProblem.tooSeldom(anchor);
    }
  }

  private long last(RRuleParts parts, ZoneTimeline timeline) {
    if (parts.count().isEmpty()) {
      return parts.until().map(until -> until.lastSecond(timeline)).orElse(Horizon.LAST_SECOND);
    }
    if (first > Horizon.LAST_SECOND) {
      return first;
    }
    int count = parts.count().getAsInt();
    try {
      return search.nthNext(first - 1, count, Effort.of(Effort.SEARCH));
    } catch (EffortSpentException e) {
      throw RRuleProblem.in(
          RRulePart.COUNT,
          count
              + " occurrences take too long to count for a rule with BYSETPOS, or with INTERVAL"
              + " beside other parts; use UNTIL");
    }
  }

  /**
   * Whether the n-th occurrence after an instant is found in {@link Effort#SEARCH} steps, as {@link
   * #nthAfter} of this instant and number then does.
   */
  public boolean countsTo(Instant t, long n) {
    try {
      metered(Effort.of(Effort.SEARCH)).nthAfter(t, n);
      return true;
    } catch (EffortSpentException e) {
      return false;
    }
  }

  @Override
  public RRule metered(Effort meter) {
    return new RRule(this, meter);
  }

  /**
   * Reads a rule of at most 1,024 characters. A rule that never occurs is a trigger without
   * occurrences.
   *
   * @param anchor truncated to the millisecond
   * @throws InvalidTriggerException if it is not a rule, or one that cannot be searched in a
   *     bounded number of steps: a filtered interval of seconds that drifts through the day for
   *     more than 1,500 days, or a first occurrence or a COUNT that takes too many steps
   */
  public static RRule parse(String rule, Instant anchor, ZoneId zone) {
    if (!Horizon.contains(anchor)) {
      throw new InvalidTriggerException(
          "anchor", anchor + " lies outside the years 0000 to 9999", "2026-01-30T09:00:00Z");
    }
    return new RRule(rule, anchor, zone, RRuleReader.read(rule));
  }

  /**
   * As {@link #parse}, for a rule that must occur.
   *
   * @throws InvalidTriggerException also if it never does
   */
  public static RRule define(String rule, Instant anchor, ZoneId zone) {
    RRule defined = parse(rule, anchor, zone);
    if (!defined.occurs()) {
      throw RRuleProblem.neverOccurs(
          "\""
              + Quote.of(rule)
              + "\" never occurs from "
              + anchor.truncatedTo(ChronoUnit.SECONDS)
              + " on");
    }
    return defined;
  }

  /**
   * The anchor of a rule that was given none: the second of {@code t}, but past its beginning, so
   * that the rule takes its time of day from {@code t} and occurs and counts only afterwards.
   */
  public static Instant implicitAnchor(Instant t) {
    return t.truncatedTo(ChronoUnit.SECONDS).plusMillis(1);
  }

  public String rule() {
    return rule;
  }

  public Instant anchor() {
    return anchor;
  }

  public ZoneId zone() {
    return zone;
  }

  ClockRule clockRule() {
    return search instanceof SteadySearch
        ? ClockRule.EXACT
        : search instanceof RecurringTimes
                || (search instanceof CronSearch cron && !cron.everyPass())
            ? ClockRule.FIXED
            : ClockRule.SHOWN;
  }

  /** Whether there is any occurrence at all. */
  public boolean occurs() {
    return first <= last;
  }

  @Override
  public Optional<Instant> nextAfter(Instant t) {
    long after = Horizon.clampSecond(t);
    return after >= last
        ? Optional.empty()
        : inBounds(after < first ? first : search.next(after, effort));
  }

  @Override
  public Optional<Instant> lastAtOrBefore(Instant t) {
    long upTo = Math.min(last, Horizon.clampSecond(t));
    return upTo < first ? Optional.empty() : inBounds(search.previous(upTo, effort));
  }

  @Override
  public Count count(Instant after, Instant through, long limit) {
    long from = Math.max(first - 1, Horizon.clampSecond(after));
    long to = Math.min(last, Horizon.clampSecond(through));
    return to <= from ? Count.exactly(0) : search.count(from, to, limit, effort);
  }

  @Override
  public Optional<Instant> nthAfter(Instant t, long n) {
    long after = Math.max(first - 1, Horizon.clampSecond(t));
    return n < 1 || after >= last ? Optional.empty() : inBounds(search.nthNext(after, n, effort));
  }

  @Override
  public Optional<Instant> nthAtOrBefore(Instant t, long n) {
    return nthAtOrBefore(t, n, anchor);
  }

  @Override
  public Optional<Instant> nthAtOrBefore(Instant t, long n, Instant notBefore) {
    long upTo = Math.min(last, Horizon.clampSecond(t));
    long from = Math.max(first, notBefore.getEpochSecond());
    return n < 1 || upTo < from
        ? Optional.empty()
        : inBounds(search.nthPrevious(upTo, n, from, effort)).filter(at -> !at.isBefore(notBefore));
  }

  private Optional<Instant> inBounds(long second) {
    return second < first || second > last
        ? Optional.empty()
        : Optional.of(Instant.ofEpochSecond(second));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RRule that
        && rule.equals(that.rule)
        && anchor.equals(that.anchor)
        && zone.equals(that.zone);
  }

  @Override
  public int hashCode() {
    return Objects.hash(rule, anchor, zone);
  }

  @Override
  public String toString() {
    return "RRule[" + rule + " from " + anchor + " in " + zone + "]";
  }
}
