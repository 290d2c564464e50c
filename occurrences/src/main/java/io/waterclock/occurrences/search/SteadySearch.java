package io.waterclock.occurrences.search;

import io.waterclock.occurrences.core.ClockRule;
import io.waterclock.occurrences.core.Count;
import io.waterclock.occurrences.core.Effort;
import io.waterclock.occurrences.core.Horizon;

/** Every {@code step} seconds from {@code base}, O(1). */
record SteadySearch(long base, long step) implements Search {

  @Override
  public ClockRule clockRule() {
    return ClockRule.EXACT;
  }

  @Override
  public long next(long after, Effort effort) {
    long found = nth(rank(after) + 1);
    effort.passOver(after, found);
    return found;
  }

  @Override
  public long previous(long upTo, Effort effort) {
    long found = nth(rank(upTo));
    effort.passOver(upTo, found);
    return found;
  }

  @Override
  public Count count(long after, long through, long limit, Effort effort) {
    return Count.exactly(Math.max(0, rank(through) - rank(after)));
  }

  @Override
  public long nthNext(long after, long n, Effort effort) {
    return n > rank(Horizon.LAST_SECOND) ? Recurrence.AFTER_ALL : nth(rank(after) + n);
  }

  @Override
  public long nthPrevious(long upTo, long n, long notBefore, Effort effort) {
    return nth(rank(upTo) - (n - 1));
  }

  /** The n-th of all, from 1. */
  private long nth(long n) {
    return n < 1
        ? Recurrence.BEFORE_ALL
        : n > rank(Horizon.LAST_SECOND) ? Recurrence.AFTER_ALL : base + (n - 1) * step;
  }

  /** How many there are up to a second. */
  private long rank(long upTo) {
    return upTo < base ? 0 : (upTo - base) / step + 1;
  }
}
