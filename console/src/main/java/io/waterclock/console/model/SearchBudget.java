package io.waterclock.console.model;

import io.waterclock.occurrences.core.Effort;

/**
 * Bounds the steps of a search through many schedules: those of their occurrences, and some for
 * reading the records of each, so that schedules without occurrences count, too. For one thread.
 */
final class SearchBudget {
  /** Some seconds. */
  static final long MOST = 20_000_000;

  /** To read a schedule takes about as long as so many steps, and one more for so many bytes. */
  private static final long READING = 200;

  private static final int BYTES_OF_A_STEP = 32;

  private final Effort effort = Effort.of(Upcoming.MOST_STEPS);
  private long read;

  /**
   * Begins with the next schedule.
   *
   * @param bytes that its records take
   * @return the steps that it may take
   */
  Effort next(long bytes) {
    read += READING + bytes / BYTES_OF_A_STEP;
    effort.renew();
    return effort;
  }

  long spent() {
    return read + effort.total();
  }

  boolean isSpent() {
    return spent() >= MOST;
  }
}
