package io.waterclock.bench.meter;

import io.waterclock.bench.run.BenchException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How fast a known number of things goes by, from the first to the last: what it takes to begin is
 * left out. Thread-safe.
 */
public final class RateMeter {
  private static final long BOUND_S = 300;

  private final long expected;
  private final AtomicLong counted = new AtomicLong();
  private final CountDownLatch all = new CountDownLatch(1);
  private volatile long firstNanos;
  private volatile long lastNanos;

  public RateMeter(long expected) {
    this.expected = expected;
  }

  public void count(int more) {
    long before = counted.getAndAdd(more);
    if (before == 0) {
      firstNanos = System.nanoTime();
    }
    if (before + more >= expected) {
      lastNanos = System.nanoTime();
      all.countDown();
    }
  }

  public boolean isDone() {
    return all.getCount() == 0;
  }

  /**
   * Waits for the last one.
   *
   * @return so many per second
   */
  public double rate() {
    try {
      if (!all.await(BOUND_S, TimeUnit.SECONDS)) {
        throw new BenchException(counted + " of " + expected + " within " + BOUND_S + " s");
      }
    } catch (InterruptedException e) {
      throw new BenchException("interrupted", e);
    }
    return expected * 1e9 / (lastNanos - firstNanos);
  }
}
