package io.waterclock.bench;

import java.time.Duration;
import java.util.BitSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Measures each fire of an open loop from due to visible. A fire that comes late counts as late,
 * one that never comes makes the measurement void.
 */
final class LatenessMeter implements Arrivals.Listener {
  private static final long MAX_US = TimeUnit.MINUTES.toMicros(10);

  private final String phase;
  private final OpenLoop loop;
  private final Histogram histogram = new Histogram(1, MAX_US, 3);
  private final BitSet seen;
  private final CountDownLatch done = new CountDownLatch(1);
  private int count;
  private int doubled;

  LatenessMeter(String phase, OpenLoop loop) {
    this.phase = phase;
    this.loop = loop;
    this.seen = new BitSet(loop.countedFires());
  }

  @Override
  public void seen(ConsumerRecord<byte[], byte[]> record, long seenUs) {
    if (!Keys.isOf(phase, record.key())) {
      return;
    }
    long dueMs = Keys.occurrenceMs(record.key());
    if (!loop.isCounted(dueMs)) {
      return;
    }
    int number = loop.number(dueMs, Keys.number(record.key()));
    if (seen.get(number)) {
      doubled++;
      return;
    }
    seen.set(number);
    histogram.recordValue(Math.max(1, Math.min(MAX_US, seenUs - dueMs * 1_000)));
    if (++count == loop.countedFires()) {
      done.countDown();
    }
  }

  /**
   * Waits until all counted fires are visible.
   *
   * @param bound after the last one is due
   * @throws BenchException if one is missing after the bound, or came twice
   */
  Histogram await(Duration bound) {
    Await.instant(loop.end());
    try {
      if (!done.await(bound.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new BenchException(
            "fires are missing " + bound.toSeconds() + " s after the last one was due");
      }
    } catch (InterruptedException e) {
      throw new BenchException("interrupted", e);
    }
    if (doubled > 0) {
      throw new BenchException(doubled + " fires came twice");
    }
    return histogram;
  }
}
