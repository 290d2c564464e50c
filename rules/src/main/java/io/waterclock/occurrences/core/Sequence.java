package io.waterclock.occurrences.core;

/** Ascending seconds without end in either direction, on the wall clock or in time. */
public interface Sequence {

  /** The first element from a second on. */
  long next(long from);

  /** The last element up to a second. */
  long previous(long upTo);

  /** The number of elements from a second to below another. */
  long count(long from, long to);

  /** The element with {@code index} elements between {@code from} and itself, before {@code to}. */
  default long element(long from, long to, long index) {
    long low = from;
    long high = to;
    while (low < high) {
      long middle = low + (high - low) / 2;
      if (count(from, middle + 1) > index) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
}
