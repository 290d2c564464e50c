package io.waterclock.occurrences.search;

import io.waterclock.occurrences.core.Civil;
import io.waterclock.occurrences.core.ClockRule;
import io.waterclock.occurrences.core.Count;
import io.waterclock.occurrences.core.Days;
import io.waterclock.occurrences.core.Effort;
import io.waterclock.occurrences.core.Horizon;
import java.time.ZoneId;

/**
 * Finds the instants of a wall-clock pattern in a zone.
 *
 * <p>Idea: within a segment of constant offset an instant is a wall-clock second less the offset,
 * so the pattern is searched on the wall clock and the match checked against the segment's end. A
 * match beyond it is carried to the following segments; the search repeats only in a segment whose
 * clock was set back, or jumped past the match. The two rules for clock changes differ in a single
 * number, the first wall-clock second that belongs to a segment: for jobs at fixed times it is
 * where the segment before ended, so that skipped times belong to the end of the gap and repeated
 * ones to the first pass; for intervals it is the first second that the clock shows.
 *
 * <p>Cost: an offset look-up, a date conversion and a few bit operations for the ordinary case. A
 * search that finds nothing ends after the 400 years in which clocks and calendar repeat.
 *
 * <p>Example: {@code 30 2 * * *} in Berlin, after 2026-03-28T12:00Z. The match 29 March 02:30 at +1
 * h is 01:30Z, past the segment's end at 01:00Z. The next segment begins at 01:00Z and owns
 * wall-clock times from 02:00; 02:30 at +2 h would be 00:30Z, before its start: 01:00Z it is.
 *
 * @param everyPass whether the expression follows the wall clock as an interval
 */
public record CronSearch(WallClockPattern pattern, ZoneTimeline zone, boolean everyPass)
    implements Search {

  /** The result of {@link #next} without an occurrence: later than the horizon. */
  private static final long NEVER = Long.MAX_VALUE;

  /** The search for the matching times of the matching days in a zone. */
  public static CronSearch of(Days days, TimesOfDay times, ZoneId zone, boolean everyPass) {
    return new CronSearch(new WallClockPattern(days, times), ZoneTimeline.of(zone), everyPass);
  }

  @Override
  public ClockRule clockRule() {
    return everyPass ? ClockRule.SHOWN : ClockRule.FIXED;
  }

  @Override
  public long next(long after, Effort effort) {
    long found = next(after);
    effort.passOver(after, found);
    return found;
  }

  @Override
  public long previous(long upTo, Effort effort) {
    long found = previous(upTo);
    effort.passOver(upTo, found);
    return found;
  }

  /** The first occurrence after a second of the horizon; past the horizon if there is none. */
  long next(long after) {
    long giveUp = Math.max(after, zone.start(zone.cycle())) + 2 * Civil.SECONDS_PER_CYCLE;
    long fold = zone.fold(after);
    int segment = zone.segment(after - fold);
    // no match lies between clearFrom and match
    long clearFrom = Math.max(after - fold + 1 + zone.offset(segment), firstLocal(segment));
    long match = pattern.next(clearFrom);
    while (true) {
      long second = Math.max(match - zone.offset(segment), zone.start(segment));
      if (second < zone.end(segment)) {
        return second + fold;
      }
      int following = zone.following(segment);
      if (following <= segment) {
        fold += Civil.SECONDS_PER_CYCLE;
        clearFrom -= Civil.SECONDS_PER_CYCLE;
        match -= Civil.SECONDS_PER_CYCLE;
      }
      segment = following;
      if (zone.start(segment) + fold > giveUp) {
        return NEVER;
      }
      long first = firstLocal(segment);
      if (first < clearFrom || first > match) {
        clearFrom = first;
        match = pattern.next(first);
      }
    }
  }

  /** The last occurrence up to a second of the horizon; before the horizon if there is none. */
  long previous(long from) {
    long fold = zone.fold(from);
    int segment = zone.segment(from - fold);
    // no match lies between match and clearTo
    long clearTo = from - fold + zone.offset(segment);
    long match = pattern.previous(clearTo);
    while (match < firstLocal(segment)) {
      if (fold > 0 && segment == zone.cycle()) {
        segment = zone.lastSegment();
        fold -= Civil.SECONDS_PER_CYCLE;
        clearTo += Civil.SECONDS_PER_CYCLE;
        match += Civil.SECONDS_PER_CYCLE;
      } else {
        segment--;
      }
      long last = zone.end(segment) - 1 + zone.offset(segment);
      if (last > clearTo || last < match) {
        clearTo = last;
        match = pattern.previous(last);
      }
    }
    return Math.max(match - zone.offset(segment), zone.start(segment)) + fold;
  }

  @Override
  public Count count(long after, long through, long limit, Effort effort) {
    effort.passOver(after, through);
    return Count.exactly(count(after, through));
  }

  /** The number of occurrences after one second up to another: a step a month, no searching. */
  long count(long after, long through) {
    long count = 0;
    long from = after + 1;
    long fold = zone.fold(from);
    int segment = zone.segment(from - fold);
    while (from <= through) {
      long to = Math.min(through + 1, zone.end(segment) + fold);
      count += countIn(segment, from - fold, to - fold);
      int following = zone.following(segment);
      fold += following <= segment ? Civil.SECONDS_PER_CYCLE : 0;
      segment = following;
      from = to;
    }
    return count;
  }

  /** The n-th occurrence after a second; past the horizon if there are fewer. */
  @Override
  public long nthNext(long after, long n, Effort effort) {
    if (n == 1) {
      return next(after, effort);
    }
    long low = after;
    long span = Civil.SECONDS_PER_DAY;
    long wanted = n;
    // the answer lies in (low, high]: first move on in ever longer spans, then halve
    while (low < Horizon.LAST_SECOND) {
      long high = Math.min(low + span, Horizon.LAST_SECOND);
      long found = count(low, high);
      effort.passOver(low, high);
      if (found >= wanted) {
        return nthWithin(low, high, wanted);
      }
      wanted -= found;
      low = high;
      span *= 2;
    }
    return NEVER;
  }

  @Override
  public long nthPrevious(long from, long n, long notBefore, Effort effort) {
    if (n == 1) {
      return previous(from, effort);
    }
    long first = Math.max(notBefore, Horizon.FIRST_SECOND);
    long high = from;
    long span = Civil.SECONDS_PER_DAY;
    long wanted = n;
    while (high >= first) {
      long low = Math.max(high - span, first - 1);
      long found = count(low, high);
      effort.passOver(low, high);
      if (found >= wanted) {
        return nthWithin(low, high, found - wanted + 1);
      }
      wanted -= found;
      high = low;
      span *= 2;
    }
    return Long.MIN_VALUE;
  }

  /** The n-th occurrence in (low, high], which holds as many. */
  private long nthWithin(long low, long high, long n) {
    long after = low;
    long through = high;
    long wanted = n;
    while (through - after > 1) {
      long middle = after + (through - after) / 2;
      long found = count(after, middle);
      if (found >= wanted) {
        through = middle;
      } else {
        wanted -= found;
        after = middle;
      }
    }
    return through;
  }

  private long countIn(int segment, long from, long to) {
    long offset = zone.offset(segment);
    long shown = zone.firstShown(segment);
    long owned = firstLocal(segment);
    boolean atGapEnd =
        from == zone.start(segment)
            && owned < shown
            && pattern.next(owned) < shown
            && pattern.next(shown) > shown;
    return pattern.count(Math.max(from + offset, owned), to + offset) + (atGapEnd ? 1 : 0);
  }

  private long firstLocal(int segment) {
    return everyPass ? zone.firstShown(segment) : zone.firstOwned(segment);
  }
}
