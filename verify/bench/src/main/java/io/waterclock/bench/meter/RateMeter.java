package io.waterclock.bench.meter;

import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.BenchException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** The rate of a known number of events, from the first to the last. Thread-safe. */
public final class RateMeter {
  private static final Duration BOUND = Duration.ofMinutes(5);

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

  /** Waits for the last event and returns events per second. */
  public double rate() {
    if (!Await.latch(all, Await.now().plus(BOUND))) {
      throw new BenchException(counted + " of " + expected + " within " + BOUND.toSeconds() + " s");
    }
    return expected * 1e9 / (lastNanos - firstNanos);
  }
}
