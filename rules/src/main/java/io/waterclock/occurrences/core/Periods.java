package io.waterclock.occurrences.core;

/**
 * Numbered periods of time, in the same seconds as the {@link Sequence} whose elements they
 * contain.
 */
public sealed interface Periods {

  /** The number of the period in which a second lies. */
  long index(long second);

  /** The first second of a period. */
  long start(long index);

  /** Months or years of the wall clock. */
  record Months(int length) implements Periods {
    @Override
    public long index(long second) {
      int date = Civil.date((int) Math.floorDiv(second, Civil.SECONDS_PER_DAY));
      return Math.floorDiv(Civil.year(date) * 12 + Civil.month(date) - 1, length);
    }

    @Override
    public long start(long index) {
      int month = (int) (index * length);
      return Civil.SECONDS_PER_DAY
          * Civil.firstDay(Math.floorDiv(month, 12), Math.floorMod(month, 12) + 1);
    }
  }

  /**
   * Pieces of a fixed length: days and weeks of the wall clock, hours and less of time.
   *
   * @param base where period 0 begins
   */
  record Pieces(long base, long length) implements Periods {
    @Override
    public long index(long second) {
      return Math.floorDiv(second - base, length);
    }

    @Override
    public long start(long index) {
      return base + index * length;
    }
  }
}
