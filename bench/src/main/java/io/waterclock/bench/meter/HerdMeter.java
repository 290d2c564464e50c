package io.waterclock.bench.meter;

import io.waterclock.bench.load.Work;
import java.time.Duration;
import java.time.Instant;

/** Measures how fires that are due together become visible, and that each does so once. */
public final class HerdMeter implements FireListener {
  private final Work work;
  private final long dueUs;
  private final OnceCounter fires;
  private final DrainCurve curve = new DrainCurve();
  private int early;
  private int inFirstPoll;
  private long firstUs;
  private long lastUs;

  public HerdMeter(Work work) {
    this.work = work;
    this.dueUs = work.start().toEpochMilli() * 1_000;
    this.fires = new OnceCounter(work.count());
  }

  @Override
  public void fired(int number, long dueMs, long seenUs) {
    if (!fires.isFirst(number)) {
      return;
    }
    int soFar = fires.counted() + 1;
    if (soFar == 1) {
      firstUs = seenUs;
    }
    inFirstPoll += seenUs == firstUs ? 1 : 0;
    lastUs = seenUs;
    early += seenUs < dueUs ? 1 : 0;
    curve.add(seenUs - dueUs, soFar, soFar == work.count());
    fires.count();
  }

  /**
   * Waits until all fires are visible.
   *
   * @throws io.waterclock.bench.run.VoidRunException if one is missing at the deadline
   */
  public Drain await(Instant deadline) {
    fires.await(deadline, work.start(), "they were due");
    return new Drain(work.count(), inFirstPoll, early, firstUs - dueUs, lastUs - dueUs);
  }

  /**
   * Waits for stragglers.
   *
   * @throws io.waterclock.bench.run.VoidRunException if a fire came twice
   */
  public void requireNoDoubles(Duration stragglers) {
    fires.requireNoDoubles(stragglers);
  }

  /** Call it when all fires are visible. */
  public DrainCurve curve() {
    return curve;
  }
}
