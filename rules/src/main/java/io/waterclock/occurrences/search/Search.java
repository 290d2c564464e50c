package io.waterclock.occurrences.search;

import io.waterclock.occurrences.core.ClockRule;
import io.waterclock.occurrences.core.Count;
import io.waterclock.occurrences.core.Effort;
import io.waterclock.occurrences.core.EffortSpentException;
import io.waterclock.occurrences.core.Horizon;

/**
 * Finds occurrences in epoch seconds. A result outside the horizon means that there is none.
 *
 * <p>The default methods step from one occurrence to the next, so counting costs a search for each.
 */
public sealed interface Search permits CronSearch, SteadySearch, RecurringTimes, RecurringInstants {

  /** How the occurrences follow the wall clock. */
  ClockRule clockRule();

  /**
   * The first occurrence after a second.
   *
   * @throws EffortSpentException here and below, if the effort is spent before it is found
   */
  long next(long after, Effort effort);

  /** The last occurrence up to a second. */
  long previous(long upTo, Effort effort);

  /**
   * The number of occurrences after one second up to another; counting stops at {@code limit}, or
   * if the effort has no reserve left.
   */
  default Count count(long after, long through, long limit, Effort effort) {
    long count = 0;
    long at = next(after, effort);
    while (at <= through && count < limit && effort.hasReserve()) {
      count++;
      at = next(at, effort);
    }
    return new Count(count, at > through);
  }

  /** The n-th occurrence after a second, for n from 1. */
  default long nthNext(long after, long n, Effort effort) {
    long at = after;
    for (long i = 0; i < n && at <= Horizon.LAST_SECOND; i++) {
      at = next(at, effort);
    }
    return at;
  }

  /**
   * The n-th occurrence back from a second, inclusive, for n from 1; a later one where the effort
   * has no reserve left. Before {@code notBefore}, or before the horizon, where there are fewer.
   */
  default long nthPrevious(long upTo, long n, long notBefore, Effort effort) {
    long at = previous(upTo, effort);
    for (long i = 1; i < n && at >= notBefore && effort.hasReserve(); i++) {
      at = previous(at - 1, effort);
    }
    return at;
  }
}
