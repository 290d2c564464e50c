package io.waterclock.occurrences;

import io.waterclock.occurrences.core.ClockRule;
import io.waterclock.occurrences.core.Count;
import io.waterclock.occurrences.core.Effort;
import io.waterclock.occurrences.core.EffortSpentException;
import io.waterclock.occurrences.core.Horizon;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.occurrences.search.RRuleRange;
import io.waterclock.occurrences.search.WallClock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;

/**
 * A recurrence rule of RFC 5545, such as {@code FREQ=MONTHLY;BYDAY=-1FR;COUNT=12}, read on the wall
 * clock of a zone. The anchor is DTSTART in iCalendar: intervals count from it, and it supplies the
 * parts that the rule omits, such as the time of day.
 *
 * <ul>
 *   <li>The anchor, truncated to the second, is an occurrence only if it matches the rule. Nothing
 *       occurs before it. COUNT counts from it.
 *   <li>Dates that do not exist do not occur: {@code FREQ=MONTHLY} from a 31st occurs in seven
 *       months of the year.
 *   <li>Clock changes, for DAILY and longer: as for {@link Every} in days. Times in a gap of up to
 *       three hours occur once, at its end. A time in a longer gap does not occur. A time in an
 *       overlap occurs at the first pass.
 *   <li>Clock changes, for HOURLY and shorter: periods have exact lengths from the anchor, so the
 *       cadence is constant. BY parts refer to the wall clock, which shows a time in an overlap
 *       twice.
 *   <li>UNTIL is inclusive; as a date it is the end of that day in the zone.
 * </ul>
 *
 * <p>Source: RFC 5545, section 3.3.10. Gregorian only; a second of 60 is rejected.
 *
 * <p>Immutable; safe for use by several threads. A neighbour costs some tens to some hundreds of
 * nanoseconds wherever it lies. Counts and n-th occurrences cost a search for each occurrence if
 * the rule has BYSETPOS, or an interval with BY parts, or if BY parts of longer units limit its
 * hours or minutes; otherwise hardly more than a neighbour.
 */
public final class RRule implements Trigger {

  private static final String EXAMPLE = "2026-01-30T09:00:00Z";

  private final String rule;
  private final Instant anchor;
  private final LocalDateTime localAnchor;
  private final ZoneId zone;
  private final RRuleRange range;
  private final Effort effort;

  private RRule(
      String rule,
      Instant anchor,
      LocalDateTime localAnchor,
      ZoneId zone,
      RRuleRange range,
      Effort effort) {
    this.rule = rule;
    this.anchor = anchor;
    this.localAnchor = localAnchor;
    this.zone = zone;
    this.range = range;
    this.effort = effort;
  }

  /**
   * Whether {@link #nthAfter} finds the n-th occurrence after an instant in {@link Effort#SEARCH}
   * steps.
   */
  public boolean countsTo(Instant t, long n) {
    try {
      metered(effort.beside(Effort.SEARCH)).nthAfter(t, n);
      return true;
    } catch (EffortSpentException e) {
      return false;
    }
  }

  @Override
  public RRule metered(Effort meter) {
    return new RRule(rule, anchor, localAnchor, zone, range, meter);
  }

  /**
   * Reads a rule of at most 1,024 characters, with or without space around it. A rule that never
   * occurs gives a trigger without occurrences.
   *
   * @param anchor truncated to the millisecond
   * @throws InvalidTriggerException if it is not a rule, or one that cannot be searched in a
   *     bounded number of steps: a filtered interval of seconds that drifts through the day for
   *     more than 1,500 days, or a first occurrence or a COUNT that takes too many steps
   */
  public static RRule parse(String rule, Instant anchor, ZoneId zone) {
    return parse(rule, anchor, zone, Effort.unlimited());
  }

  /**
   * As above, metered: to read a rule may take up to {@link Effort#DECISION} steps and {@link
   * Effort#SEARCH} more.
   *
   * @param effort counts these steps in its total; what is left of it is for the rule
   */
  public static RRule parse(String rule, Instant anchor, ZoneId zone, Effort effort) {
    Horizon.require("anchor", anchor, EXAMPLE);
    Instant start = anchor.truncatedTo(ChronoUnit.MILLIS);
    return of(rule, start, LocalDateTime.ofInstant(start, zone), zone, effort);
  }

  /**
   * As above, from a time on the wall clock of the zone. DAILY and longer keep its time of day,
   * even if the anchor itself lies in a gap.
   */
  public static RRule parse(String rule, LocalDateTime anchor, ZoneId zone) {
    return parse(rule, anchor, zone, Effort.unlimited());
  }

  /** As above, metered. */
  public static RRule parse(String rule, LocalDateTime anchor, ZoneId zone, Effort effort) {
    LocalDateTime local = anchor.truncatedTo(ChronoUnit.MILLIS);
    Instant start = WallClock.of(zone).instant(local);
    Horizon.require("anchor", start, EXAMPLE);
    return of(rule, start, local, zone, effort);
  }

  private static RRule of(
      String rule, Instant anchor, LocalDateTime localAnchor, ZoneId zone, Effort effort) {
    String text = rule.strip();
    RRuleRange range = RRuleRange.read(text, anchor, localAnchor, zone, effort);
    boolean keepsLocal = range.search().clockRule() == ClockRule.FIXED;
    LocalDateTime local = keepsLocal ? localAnchor : LocalDateTime.ofInstant(anchor, zone);
    return new RRule(text, anchor, local, zone, range, effort);
  }

  /**
   * This rule, which must occur.
   *
   * @throws InvalidTriggerException if it never does
   */
  public RRule requireOccurrence() {
    range.requireOccurrence(rule, anchor);
    return this;
  }

  /**
   * The anchor of a rule without one: one millisecond after the start of the second of {@code t}.
   * The rule then takes its time of day from {@code t}, and occurs and counts only after it.
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

  /** The time of the anchor on the wall clock; DAILY and longer keep one that a gap skips. */
  public LocalDateTime localAnchor() {
    return localAnchor;
  }

  public ZoneId zone() {
    return zone;
  }

  ClockRule clockRule() {
    return range.search().clockRule();
  }

  @Override
  public Count count(Instant after, Instant through, long limit) {
    long from = Math.max(range.first() - 1, Horizon.clampSecond(after));
    long to = Math.min(range.last(), Horizon.clampSecond(through));
    return to <= from ? Count.exactly(0) : range.search().count(from, to, limit, effort);
  }

  @Override
  public Optional<Instant> nthAfter(Instant t, long n) {
    long after = Math.max(range.first() - 1, Horizon.clampSecond(t));
    return n < 1 || after >= range.last()
        ? Optional.empty()
        : inBounds(range.search().nthNext(after, n, effort));
  }

  @Override
  public Optional<Instant> nthAtOrBefore(Instant t, long n) {
    return nthAtOrBefore(t, n, anchor);
  }

  @Override
  public Optional<Instant> nthAtOrBefore(Instant t, long n, Instant notBefore) {
    long upTo = Math.min(range.last(), Horizon.clampSecond(t));
    long from = Math.max(range.first(), notBefore.getEpochSecond());
    return n < 1 || upTo < from
        ? Optional.empty()
        : inBounds(range.search().nthPrevious(upTo, n, from, effort))
            .filter(at -> !at.isBefore(notBefore));
  }

  private Optional<Instant> inBounds(long second) {
    return second < range.first() || second > range.last()
        ? Optional.empty()
        : Optional.of(Instant.ofEpochSecond(second));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RRule that
        && rule.equals(that.rule)
        && anchor.equals(that.anchor)
        && localAnchor.equals(that.localAnchor)
        && zone.equals(that.zone);
  }

  @Override
  public int hashCode() {
    return Objects.hash(rule, anchor, localAnchor, zone);
  }

  @Override
  public String toString() {
    return "RRule[" + rule + " from " + anchor + " in " + zone + "]";
  }
}
