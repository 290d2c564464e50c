package io.waterclock.console.limits;

import java.time.Instant;

/** How many fires have started in each ten seconds of the last hour. Not thread-safe. */
final class RecentStarts {
  private static final int BUCKETS = 361;
  private static final long BUCKET_MS = 10_000;

  private final int[] counts = new int[BUCKETS];
  private long newest = Long.MIN_VALUE;

  void add(Instant at) {
    long number = number(at);
    if (newest == Long.MIN_VALUE) {
      newest = number;
    }
    if (number <= newest - BUCKETS) {
      return;
    }
    for (long next = Math.max(newest + 1, number - BUCKETS + 1); next <= number; next++) {
      counts[index(next)] = 0;
    }
    newest = Math.max(newest, number);
    counts[index(number)]++;
  }

  /**
   * Since the beginning of the ten seconds that are so many before those of {@code now}.
   *
   * @param buckets at most 360
   */
  long last(int buckets, Instant now) {
    long sum = 0;
    for (long number = number(now) - buckets; number <= Math.min(newest, number(now)); number++) {
      sum += number > newest - BUCKETS ? counts[index(number)] : 0;
    }
    return sum;
  }

  private static long number(Instant at) {
    return Math.floorDiv(at.toEpochMilli(), BUCKET_MS);
  }

  private static int index(long number) {
    return (int) Math.floorMod(number, (long) BUCKETS);
  }
}
