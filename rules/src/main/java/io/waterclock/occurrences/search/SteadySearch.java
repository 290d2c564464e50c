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
    return nthNext(after, 1, effort);
  }

  @Override
  public long previous(long upTo, Effort effort) {
    return nthPrevious(upTo, 1, Horizon.FIRST_SECOND, effort);
  }

  @Override
  public Count count(long after, long through, long limit, Effort effort) {
    return Count.exactly(Math.max(0, rank(through) - rank(after)));
  }

  @Override
  public long nthNext(long after, long n, Effort effort) {
    return n > rank(Horizon.LAST_SECOND)
        ? Recurrence.AFTER_ALL
        : base + (rank(after) + n - 1) * step;
  }

  @Override
  public long nthPrevious(long upTo, long n, long notBefore, Effort effort) {
    long before = rank(upTo) - n;
    return before < 0 ? Recurrence.BEFORE_ALL : base + before * step;
  }

  /** How many there are up to a second. */
  private long rank(long upTo) {
    return upTo < base ? 0 : (upTo - base) / step + 1;
  }
}
