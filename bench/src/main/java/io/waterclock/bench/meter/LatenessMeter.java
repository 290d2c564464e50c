package io.waterclock.bench.meter;

import io.waterclock.bench.load.OpenLoop;
import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.VoidRunException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;

/**
 * Measures each fire of an open loop from due to visible. A fire that comes late counts as late,
 * one that comes early counts by how early it was, one that never comes makes the measurement void.
 */
public final class LatenessMeter implements FireListener {
  private static final long MAX_US = TimeUnit.MINUTES.toMicros(10);

  private final OpenLoop loop;
  private final Histogram histogram = new Histogram(1, MAX_US, 3);
  private final OnceEach firsts;
  private final CountDownLatch done = new CountDownLatch(1);
  private final AtomicInteger count = new AtomicInteger();
  private int early;

  public LatenessMeter(OpenLoop loop) {
    this.loop = loop;
    this.firsts = new OnceEach(loop.countedFires());
  }

  @Override
  public void fired(int number, long dueMs, long seenUs) {
    if (!loop.isCounted(dueMs)) {
      return;
    }
    if (!firsts.isFirst(loop.number(dueMs, number))) {
      return;
    }
    long lateUs = seenUs - dueMs * 1_000;
    early += lateUs < 0 ? 1 : 0;
    histogram.recordValue(Math.max(1, Math.min(MAX_US, Math.abs(lateUs))));
    if (count.incrementAndGet() == loop.countedFires()) {
      done.countDown();
    }
  }

  /**
   * Waits until all counted fires are visible.
   *
   * @throws VoidRunException if one is missing at the deadline
   */
  public Histogram await(Instant deadline) {
    if (!Await.latch(done, deadline)) {
      throw new VoidRunException(
          String.format(
              "%,d of %,d fires were missing %d s after the last one was due",
              loop.countedFires() - count.get(),
              loop.countedFires(),
              Duration.between(loop.end(), deadline).toSeconds()));
    }
    return histogram;
  }

  /**
   * Waits for fires that come again.
   *
   * @param stragglers how long they may take
   * @throws VoidRunException if a fire came twice
   */
  public void requireNoDoubles(Duration stragglers) {
    firsts.requireNoDoubles(stragglers);
  }

  /** How many came before they were due, once all are visible. */
  public int early() {
    return early;
  }
}
