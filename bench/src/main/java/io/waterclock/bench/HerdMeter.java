package io.waterclock.bench;

import java.time.Duration;
import java.util.BitSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Measures how fires that are due together become visible, and that each does so once. */
final class HerdMeter implements Arrivals.Listener {
  private final String phase;
  private final int expected;
  private final long dueUs;
  private final BitSet seen;
  private final CountDownLatch done = new CountDownLatch(1);
  private int count;
  private int doubled;
  private int inFirstPoll;
  private long firstUs;
  private long lastUs;

  /**
   * @param dueMs when all of them are due, epoch milliseconds
   */
  HerdMeter(String phase, int expected, long dueMs) {
    this.phase = phase;
    this.expected = expected;
    this.dueUs = dueMs * 1_000;
    this.seen = new BitSet(expected);
  }

  @Override
  public void seen(ConsumerRecord<byte[], byte[]> record, long seenUs) {
    if (!Keys.isOf(phase, record.key())) {
      return;
    }
    int number = Keys.number(record.key());
    if (seen.get(number)) {
      doubled++;
      return;
    }
    seen.set(number);
    if (count == 0) {
      firstUs = seenUs;
    }
    if (seenUs == firstUs) {
      inFirstPoll++;
    }
    lastUs = seenUs;
    if (++count == expected) {
      done.countDown();
    }
  }

  /**
   * Waits until all are visible.
   *
   * @throws BenchException if one is missing after the bound, or came twice
   */
  Drain await(Duration bound) {
    try {
      if (!done.await(bound.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new BenchException("fires are missing after " + bound.toSeconds() + " s");
      }
    } catch (InterruptedException e) {
      throw new BenchException("interrupted", e);
    }
    if (doubled > 0) {
      throw new BenchException(doubled + " fires came twice");
    }
    return new Drain(expected, inFirstPoll, firstUs - dueUs, lastUs - dueUs);
  }
}
