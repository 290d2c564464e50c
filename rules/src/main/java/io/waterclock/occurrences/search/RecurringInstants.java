package io.waterclock.occurrences.search;

import io.waterclock.occurrences.core.ClockRule;
import io.waterclock.occurrences.core.Effort;
import io.waterclock.occurrences.core.Sequence;

/** A recurrence whose elements are instants. */
record RecurringInstants(Recurrence recurrence) implements Search {

  @Override
  public ClockRule clockRule() {
    return ClockRule.SHOWN;
  }

  @Override
  public long next(long after, Effort effort) {
    return recurrence.next(after + 1, effort);
  }

  @Override
  public long previous(long upTo, Effort effort) {
    return recurrence.previous(upTo, effort);
  }

  /** Whenever the wall clock shows a match, as a sequence of instants. */
  record Shown(CronSearch search) implements Sequence {
    @Override
    public long next(long from) {
      return search.next(from - 1);
    }

    @Override
    public long previous(long upTo) {
      return search.previous(upTo);
    }

    @Override
    public long count(long from, long to) {
      return search.count(from - 1, to - 1);
    }
  }
}
