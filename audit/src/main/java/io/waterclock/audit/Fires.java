package io.waterclock.audit;

import java.time.Instant;
import java.util.Arrays;
import java.util.Iterator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A growing list of fires. Each takes sixteen bytes. */
final class Fires implements Iterable<Fires.Fired> {
  private long[] occurrencesMs = new long[8];
  private long[] firedAtMs = new long[8];
  private int size;

  /** A fire of an occurrence, in milliseconds. */
  record Fired(Instant at, Instant firedAt) {}

  void add(Instant at, Instant firedAt) {
    if (size == occurrencesMs.length) {
      occurrencesMs = Arrays.copyOf(occurrencesMs, size * 2);
      firedAtMs = Arrays.copyOf(firedAtMs, size * 2);
    }
    occurrencesMs[size] = at.toEpochMilli();
    firedAtMs[size] = firedAt.toEpochMilli();
    size++;
  }

  @Override
  public Iterator<Fired> iterator() {
    return stream().iterator();
  }

  Stream<Fired> stream() {
    return IntStream.range(0, size).mapToObj(this::fired);
  }

  private Fired fired(int index) {
    return new Fired(
        Instant.ofEpochMilli(occurrencesMs[index]), Instant.ofEpochMilli(firedAtMs[index]));
  }
}
