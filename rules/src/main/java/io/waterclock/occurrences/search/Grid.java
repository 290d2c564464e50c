package io.waterclock.occurrences.search;

import io.waterclock.occurrences.core.Horizon;

/**
 * A strictly increasing sequence of instants in epoch milliseconds that can be entered at either
 * end: by number, and by time. Neighbours and counts follow from {@link #rank} alone.
 */
public sealed interface Grid permits Grid.Exact, CalendarGrid {
  /** The number of points within the horizon. */
  long size();

  /** The number of points at or before {@code ms}, which lies in the horizon or just before it. */
  long rank(long ms);

  /** The point with {@code index} points before it, for an index from 0 to below the size. */
  long point(long index);

  /** Points at a fixed distance: integer division on epoch milliseconds, O(1). */
  record Exact(long anchorMs, long stepMs, long size) implements Grid {

    /** Every {@code n} units from an anchor in epoch milliseconds. */
    public static Exact of(long anchorMs, long n, IntervalUnit unit) {
      long span = Horizon.LAST_MS - anchorMs;
      long stepMs = n > span / unit.ms() ? span + 1 : n * unit.ms();
      return new Exact(anchorMs, stepMs, span / stepMs + 1);
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
}
