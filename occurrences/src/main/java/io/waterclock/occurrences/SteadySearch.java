package io.waterclock.occurrences;

/** Every {@code step} seconds from {@code base}, O(1). */
record SteadySearch(long base, long step) implements Search {

  @Override
  public long next(long after) {
    return nthNext(after, 1);
  }

  @Override
  public long previous(long upTo) {
    return nthPrevious(upTo, 1);
  }

  @Override
  public boolean steps() {
    return false;
  }

  @Override
  public Count count(long after, long through, long limit) {
    return Count.exactly(Math.max(0, rank(through) - rank(after)));
  }

  @Override
  public long nthNext(long after, long n) {
    long rank = rank(after);
    return n > rank(Horizon.LAST_SECOND) - rank
        ? Recurrence.AFTER_ALL
        : base + (rank + n - 1) * step;
  }

  @Override
  public long nthPrevious(long upTo, long n) {
    long rank = rank(upTo);
    return n > rank ? Recurrence.BEFORE_ALL : base + (rank - n) * step;
  }

  /** How many there are up to a second. */
  private long rank(long upTo) {
    return upTo < base ? 0 : (upTo - base) / step + 1;
  }
}
