package io.waterclock.occurrences;

import io.waterclock.occurrences.core.Horizon;
import io.waterclock.occurrences.search.IntervalUnit;

/** Points at a fixed distance: integer division on epoch milliseconds, O(1). */
record ExactGrid(long anchorMs, long stepMs, long size) implements Grid {

  static ExactGrid of(long anchorMs, long n, IntervalUnit unit) {
    long span = Horizon.LAST_MS - anchorMs;
    long stepMs = n > span / unit.ms() ? span + 1 : n * unit.ms();
    return new ExactGrid(anchorMs, stepMs, span / stepMs + 1);
  }

  @Override
  public long rank(long ms) {
    return ms < anchorMs ? 0 : (ms - anchorMs) / stepMs + 1;
  }

  @Override
  public long point(long index) {
    return anchorMs + index * stepMs;
  }
}
