package io.waterclock.topology.scheduler.count;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * A histogram of the lateness of fires: from due to decided. Buckets are not cumulative. Not
 * thread-safe.
 */
public final class Lateness {
  /** Steps of about two, then of five: most fires are in the first few buckets. */
  private static final long[] BOUNDS_MS = {
    1,
    2,
    5,
    10,
    20,
    50,
    100,
    200,
    500,
    1_000,
    2_000,
    5_000,
    10_000,
    30_000,
    60_000,
    300_000,
    900_000,
    3_600_000,
    21_600_000,
    86_400_000
  };

  private final long[] buckets = new long[BOUNDS_MS.length + 1];
  private long sumMs;

  /** The upper bounds of the buckets, inclusive, ascending; one more bucket has no bound. */
  public static List<Duration> bounds() {
    return Arrays.stream(BOUNDS_MS).mapToObj(Duration::ofMillis).toList();
  }

  void add(long latenessMs) {
    int bucket = 0;
    while (bucket < BOUNDS_MS.length && latenessMs > BOUNDS_MS[bucket]) {
      bucket++;
    }
    buckets[bucket]++;
    sumMs += latenessMs;
  }

  /**
   * The number of fires in a bucket.
   *
   * @param bucket from 0 to the number of bounds, inclusive
   */
  public long inBucket(int bucket) {
    return buckets[bucket];
  }

  /** The number of fires. */
  public long count() {
    return LongStream.of(buckets).sum();
  }

  /** The sum of the lateness, in milliseconds. */
  public long sumMs() {
    return sumMs;
  }
}
