package io.waterclock.bench.meter;

import io.waterclock.bench.load.Work;
import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.VoidRunException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Measures how fires that are due together become visible, and that each does so once. */
public final class HerdMeter implements FireListener {
  private final Work work;
  private final long dueUs;
  private final OnceEach firsts;
  private final DrainCurve curve = new DrainCurve();
  private final CountDownLatch done = new CountDownLatch(1);
  private final AtomicInteger count = new AtomicInteger();
  private int early;
  private int inFirstPoll;
  private long firstUs;
  private long lastUs;

  public HerdMeter(Work work) {
    this.work = work;
    this.dueUs = work.start().toEpochMilli() * 1_000;
    this.firsts = new OnceEach(work.count());
  }

  @Override
  public void fired(int number, long dueMs, long seenUs) {
    if (!firsts.isFirst(number)) {
      return;
    }
    int soFar = count.get() + 1;
    if (soFar == 1) {
      firstUs = seenUs;
    }
    if (seenUs == firstUs) {
      inFirstPoll++;
    }
    lastUs = seenUs;
    early += seenUs < dueUs ? 1 : 0;
    boolean isLast = soFar == work.count();
    curve.add(seenUs - dueUs, soFar, isLast);
    count.set(soFar);
    if (isLast) {
      done.countDown();
    }
  }

  /**
   * Waits until all are visible.
   *
   * @throws VoidRunException if one is missing at the deadline
   */
  public Drain await(Instant deadline) {
    if (!Await.latch(done, deadline)) {
      throw new VoidRunException(
          String.format(
              "%,d of %,d fires were missing %d s after they were due",
              work.count() - count.get(),
              work.count(),
              Duration.between(work.start(), deadline).toSeconds()));
    }
    return new Drain(work.count(), inFirstPoll, early, firstUs - dueUs, lastUs - dueUs);
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

  /** Once all are visible. */
  public DrainCurve curve() {
    return curve;
  }
}
