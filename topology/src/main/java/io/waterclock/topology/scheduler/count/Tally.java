package io.waterclock.topology.scheduler.count;

import java.util.stream.LongStream;

/** A count for each constant of an enum. Counting allocates nothing. Not thread-safe. */
@SuppressWarnings("EnumOrdinal") // an index in memory, which nothing outlives
final class Tally<E extends Enum<E>> {
  private final long[] counts;

  Tally(Class<E> constants) {
    this.counts = new long[constants.getEnumConstants().length];
  }

  void add(E constant, long count) {
    counts[constant.ordinal()] += count;
  }

  long of(E constant) {
    return counts[constant.ordinal()];
  }

  long sum() {
    return LongStream.of(counts).sum();
  }
}
