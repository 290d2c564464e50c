package io.waterclock.topology.audit;

import java.util.Arrays;
import java.util.stream.LongStream;

/** A growing list of instants in milliseconds since the epoch: eight bytes each. */
final class Instants {
  private long[] values = new long[8];
  private int size;

  void add(long ms) {
    if (size == values.length) {
      values = Arrays.copyOf(values, size * 2);
    }
    values[size++] = ms;
  }

  LongStream stream() {
    return Arrays.stream(values, 0, size);
  }
}
