package io.waterclock.occurrences.search;

import io.waterclock.occurrences.core.Effort;
import io.waterclock.occurrences.core.Periods;
import io.waterclock.occurrences.core.Sequence;
import java.util.Optional;
import java.util.function.IntBinaryOperator;

/**
 * The elements of a sequence in every n-th period, or the chosen ones of them.
 *
 * <p>Idea: the sequence finds neighbours, and a period has a number. So a search goes to the next
 * element and checks whether its period takes part. If not, it continues at the start of the next
 * period that does. It expands nothing and counts nothing from the anchor.
 *
 * <p>Cost: a few steps, each a few dozen nanoseconds, where elements and periods meet often. Where
 * they meet seldom or never, a search ends with the cycle after which calendar and interval repeat,
 * or at the horizon.
 *
 * <p>Example: every second week on Monday and Friday, from Wednesday 2026-01-07. Asked from
 * Saturday 10 January: the next element is Monday the 12th, one week after the anchor's and so not
 * of it; the week that is begins on the 19th, itself an element.
 *
 * @param origin the number of the period of the anchor
 * @param interval n, from 1
 * @param positions which elements of a period count; all where there are none
 * @param first inclusive: the start of all searches, a second
 * @param last inclusive: the end of all searches, a second
 */
record Recurrence(
    Sequence elements,
    Periods periods,
    long origin,
    long interval,
    Optional<Numbers> positions,
    Cycle cycle,
    long first,
    long last) {

  static final long AFTER_ALL = Long.MAX_VALUE;
  static final long BEFORE_ALL = Long.MIN_VALUE;

  /** To count a period's elements and find the chosen one, in elements looked at. */
  private static final int POSITIONS_COST = 20;

  /** The first one from a second on; {@link #AFTER_ALL} where there is none. */
  long next(long from, Effort effort) {
    long limit = Math.min(last, cycle.end(from));
    long at = Math.max(from, first);
    while (at <= limit) {
      long found = elements.next(at);
      effort.passOver(at, found);
      if (found > limit) {
        return AFTER_ALL;
      }
      long period = periods.index(found);
      long behind = Math.floorMod(period - origin, interval);
      if (behind == 0) {
        if (positions.isEmpty()) {
          return found;
        }
        effort.spend(POSITIONS_COST);
        long chosen = chosenFrom(found, period);
        if (chosen != AFTER_ALL) {
          return chosen;
        }
      }
      at = periods.start(period + interval - behind);
    }
    return AFTER_ALL;
  }

  /** The last one up to a second; before the first second where there is none. */
  long previous(long upTo, Effort effort) {
    long at = Math.min(upTo, last);
    while (at >= first) {
      long found = elements.previous(at);
      effort.passOver(at, found);
      long period = periods.index(found);
      long behind = Math.floorMod(period - origin, interval);
      if (behind == 0) {
        if (positions.isEmpty()) {
          return found;
        }
        effort.spend(POSITIONS_COST);
        long chosen = chosenUpTo(found, period);
        if (chosen != BEFORE_ALL) {
          return chosen;
        }
        behind = interval;
      }
      at = periods.start(period - behind + 1) - 1;
    }
    return BEFORE_ALL;
  }

  private long chosenFrom(long found, long period) {
    return chosen(found, period, positions.orElseThrow()::next, AFTER_ALL);
  }

  private long chosenUpTo(long found, long period) {
    return chosen(found, period, positions.orElseThrow()::previous, BEFORE_ALL);
  }

  private long chosen(long found, long period, IntBinaryOperator choose, long none) {
    long start = periods.start(period);
    long end = periods.start(period + 1);
    int index =
        choose.applyAsInt((int) elements.count(start, found), (int) elements.count(start, end));
    return index < 0 ? none : elements.element(start, end, index);
  }
}
