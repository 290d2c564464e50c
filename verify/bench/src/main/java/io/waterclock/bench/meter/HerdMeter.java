package io.waterclock.bench.meter;

import io.waterclock.bench.load.Work;
import java.time.Instant;

/** Measures how fires that are due together become visible, and that each does so once. */
public final class HerdMeter extends OnceCounter implements FireListener {
  private final Work work;
  private final long dueUs;
  private int early;
  private int inFirstPoll;
  private long firstUs;
  private long lastUs;

  public HerdMeter(Work work) {
    super(work.count());
    this.work = work;
    this.dueUs = work.start().toEpochMilli() * 1_000;
  }

  @Override
  public void fired(int number, long dueMs, long seenUs) {
    if (!isFirst(number)) {
      return;
    }
    if (counted() == 0) {
      firstUs = seenUs;
    }
    inFirstPoll += seenUs == firstUs ? 1 : 0;
    lastUs = seenUs;
    early += seenUs < dueUs ? 1 : 0;
    count();
  }

  /**
   * Waits until all fires are visible.
   *
   * @throws io.waterclock.bench.run.VoidRunException if one is missing at the deadline
   */
  public Drain await(Instant deadline) {
    await(deadline, work.start(), "they were due");
    return new Drain(work.count(), inFirstPoll, early, firstUs - dueUs, lastUs - dueUs);
  }
}
