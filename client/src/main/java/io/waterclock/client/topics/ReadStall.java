package io.waterclock.client.topics;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Whether a read towards an end has come to a stand: it has read nothing for {@link #BOUND}. A read
 * that goes on may take as long as it needs. Not thread-safe.
 */
final class ReadStall {
  static final Duration BOUND = Duration.ofSeconds(10);

  private final LongSupplier nanos;
  private long left;
  private long progressAt;

  /**
   * @param nanos a clock such as {@link System#nanoTime}
   * @param left how much there is to read
   */
  ReadStall(LongSupplier nanos, long left) {
    this.nanos = nanos;
    this.left = left;
    this.progressAt = nanos.getAsLong();
  }

  /**
   * @param stillLeft how much is left to read now
   */
  boolean isStalled(long stillLeft) {
    long now = nanos.getAsLong();
    if (stillLeft < left) {
      progressAt = now;
    }
    left = stillLeft;
    return now - progressAt > BOUND.toNanos();
  }
}
