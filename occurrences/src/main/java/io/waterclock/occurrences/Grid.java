package io.waterclock.occurrences;

import io.waterclock.occurrences.search.CalendarGrid;

/**
 * A strictly increasing sequence of instants in epoch milliseconds that can be entered at either
 * end: by number, and by time. Neighbours and counts follow from {@link #rank} alone.
 */
sealed interface Grid permits ExactGrid, CalendarGrid {

  /** The number of points within the horizon. */
  long size();

  /** The number of points at or before {@code ms}, which lies in the horizon or just before it. */
  long rank(long ms);

  /** The point with {@code index} points before it, for an index from 0 to below the size. */
  long point(long index);
}
