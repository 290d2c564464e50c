package io.waterclock.bench.meter;

import io.waterclock.bench.load.OpenLoop;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Measures each counted fire of an open loop from due to visible. An early fire counts by how early
 * it was; a missing fire makes the measurement void.
 */
public final class LatenessMeter extends OnceCounter implements FireListener {
  private static final long MAX_US = TimeUnit.MINUTES.toMicros(10);

  private final OpenLoop loop;
  private final Histogram histogram = new Histogram(1, MAX_US, 3);
  private int early;

  public LatenessMeter(OpenLoop loop) {
    super(loop.countedFires());
    this.loop = loop;
  }

  @Override
  public void fired(int number, long dueMs, long seenUs) {
    if (!loop.isCounted(dueMs) || !isFirst(loop.number(dueMs, number))) {
      return;
    }
    long lateUs = seenUs - dueMs * 1_000;
    early += lateUs < 0 ? 1 : 0;
    histogram.recordValue(Math.max(1, Math.min(MAX_US, Math.abs(lateUs))));
    count();
  }

  /**
   * Waits until all counted fires are visible.
   *
   * @throws io.waterclock.bench.run.VoidRunException if one is missing at the deadline
   */
  public Histogram await(Instant deadline) {
    await(deadline, loop.end(), "the last one was due");
    return histogram;
  }

  /** The number of fires that came before they were due. Call it when all are visible. */
  public int early() {
    return early;
  }
}
