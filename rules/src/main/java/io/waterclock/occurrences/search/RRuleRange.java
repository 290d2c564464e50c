package io.waterclock.occurrences.search;

import io.waterclock.occurrences.core.Effort;
import io.waterclock.occurrences.core.EffortSpentException;
import io.waterclock.occurrences.core.Horizon;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.text.Quoted;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/**
 * The search for the occurrences of a recurrence rule, and the range in which they lie. Immutable.
 *
 * @param first the first occurrence in epoch seconds; after {@code last} if there is none
 * @param last inclusive, in epoch seconds
 */
public record RRuleRange(Search search, long first, long last) {

  /**
   * Reads a rule.
   *
   * @param localAnchor the time of the anchor on the wall clock, also if a gap skips it
   * @param effort counts the steps in its total: reading has limits of its own
   * @throws InvalidTriggerException if the text is not a rule, or a search needs too many steps
   */
  public static RRuleRange read(
      String rule, Instant anchor, LocalDateTime localAnchor, ZoneId zone, Effort effort) {
    RRuleParts parts = RRuleReader.read(rule);
    ZoneTimeline timeline = ZoneTimeline.of(zone);
    Search search =
        RRuleSearch.of(
            parts,
            anchor.getEpochSecond(),
            localAnchor.toEpochSecond(ZoneOffset.UTC),
            timeline,
            effort);
    long first = first(search, anchor, effort);
    long last = parts.until().map(end -> end.lastSecond(timeline)).orElse(Horizon.LAST_SECOND);
    if (parts.count().isPresent()) {
      last =
          first > Horizon.LAST_SECOND
              ? first
              : nth(search, first, parts.count().getAsInt(), effort);
    }
    return new RRuleRange(search, first, Math.min(Horizon.LAST_SECOND, last));
  }

  private static long first(Search search, Instant anchor, Effort effort) {
    try {
      long before = Math.floorDiv(anchor.toEpochMilli() - 1, 1000L);
      return search.next(before, effort.beside(Effort.DECISION));
    } catch (EffortSpentException e) {
      throw RRuleProblem.tooSeldom(anchor);
    }
  }

  private static long nth(Search search, long first, int count, Effort effort) {
    try {
      return search.nthNext(first - 1, count, effort.beside(Effort.SEARCH));
    } catch (EffortSpentException e) {
      throw RRuleProblem.in(
          RRulePart.COUNT,
          count
              + " occurrences take too long to count for a rule with BYSETPOS, or with INTERVAL,"
              + " HOURLY or MINUTELY beside other parts; use UNTIL");
    }
  }

  /**
   * @throws InvalidTriggerException if the rule never occurs
   */
  public void requireOccurrence(String rule, Instant anchor) {
    if (first > last) {
      throw RRuleProblem.neverOccurs(
          "%s never occurs from %s on"
              .formatted(Quoted.of(rule), anchor.truncatedTo(ChronoUnit.SECONDS)));
    }
  }
}
