package io.waterclock.occurrences.search;

import java.util.BitSet;
import java.util.List;

/**
 * The elements of a period that BYSETPOS selects. Positions count from 1, or back from -1.
 * Immutable by convention.
 */
record SetPositions(BitSet fromStart, BitSet fromEnd) {

  /** Those of the given positions that a period of at most so many elements can have. */
  static SetPositions of(List<Integer> positions, long mostElements) {
    BitSet fromStart = new BitSet();
    BitSet fromEnd = new BitSet();
    for (int position : positions) {
      if (Math.abs(position) <= mostElements) {
        (position > 0 ? fromStart : fromEnd).set(Math.abs(position));
      }
    }
    return new SetPositions(fromStart, fromEnd);
  }

  boolean isEmpty() {
    return fromStart.isEmpty() && fromEnd.isEmpty();
  }

  /** The first chosen index from {@code index} on in a period of {@code size} elements, or -1. */
  int next(int index, int size) {
    int ahead = fromStart.nextSetBit(index + 1);
    int found = ahead > 0 && ahead <= size ? ahead - 1 : Integer.MAX_VALUE;
    int behind = index < size ? fromEnd.previousSetBit(size - index) : -1;
    found = behind > 0 ? Math.min(found, size - behind) : found;
    return found == Integer.MAX_VALUE ? -1 : found;
  }

  /** The last chosen index up to {@code index} in a period of {@code size} elements, or -1. */
  int previous(int index, int size) {
    int ahead = fromStart.previousSetBit(Math.min(index + 1, size));
    int behind = fromEnd.nextSetBit(Math.max(1, size - index));
    return Math.max(ahead > 0 ? ahead - 1 : -1, behind > 0 && behind <= size ? size - behind : -1);
  }
}
