package io.waterclock.occurrences.search;

import java.util.BitSet;
import java.util.List;

/**
 * The numbers of a BY part. They count from 1, or back from -1. Immutable by convention.
 *
 * <p>For BYSETPOS they select elements of a period, which have indices from 0.
 */
record Numbers(BitSet fromStart, BitSet fromEnd) {

  static Numbers of(List<Integer> numbers) {
    Numbers sets = new Numbers(new BitSet(), new BitSet());
    numbers.forEach(n -> (n > 0 ? sets.fromStart : sets.fromEnd).set(Math.abs(n)));
    return sets;
  }

  /** Whether a thing is selected that has one number from the start and one from the end. */
  boolean contains(int fromStartOn, int fromEndOn) {
    return fromStart.get(fromStartOn) || fromEnd.get(-fromEndOn);
  }

  boolean isEmpty() {
    return fromStart.isEmpty() && fromEnd.isEmpty();
  }

  /** The first chosen index from {@code index} on in a period of {@code size} elements, or -1. */
  int next(int index, int size) {
    int ahead = fromStart.nextSetBit(index + 1);
    int found = ahead > 0 && ahead <= size ? ahead - 1 : Integer.MAX_VALUE;
    int behind = fromEnd.previousSetBit(size - index);
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
