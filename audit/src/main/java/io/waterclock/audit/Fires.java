package io.waterclock.audit;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Iterator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A growing list of fires. Each takes twelve bytes. */
final class Fires implements Iterable<Fires.Fired> {
  private long[] occurrencesMs = new long[8];
  private int[] lateMs = new int[8];
  private int size;

  /**
   * @param firedAt the time of the fire; a delay of more than 24 days counts as 24 days
   */
  record Fired(Instant at, Instant firedAt) {}

  void add(Instant at, Instant firedAt) {
    if (size == occurrencesMs.length) {
      occurrencesMs = Arrays.copyOf(occurrencesMs, size * 2);
      lateMs = Arrays.copyOf(lateMs, size * 2);
    }
    occurrencesMs[size] = at.toEpochMilli();
    long late = Duration.between(at, firedAt).toMillis();
    lateMs[size] = (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, late));
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
    Instant at = Instant.ofEpochMilli(occurrencesMs[index]);
    return new Fired(at, at.plusMillis(lateMs[index]));
  }
}
