package io.waterclock.bench.meter;

import io.waterclock.bench.load.Keys;
import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.VoidRunException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Checks that a schedule of every second replays each missed occurrence once and in order. */
public final class ReplayMeter implements RecordListener {
  private final String phase;
  private final long writtenMs;
  private final int missed;
  private final CountDownLatch done = new CountDownLatch(1);
  private int last;
  private int astray;

  /**
   * @param written when the schedule was defined; the first occurrence comes a second after
   * @param missed how many occurrences to wait for; later ones are not looked at
   */
  public ReplayMeter(String phase, Instant written, int missed) {
    this.phase = phase;
    this.writtenMs = written.toEpochMilli();
    this.missed = missed;
  }

  @Override
  public void seen(ConsumerRecord<byte[], byte[]> record, long seenUs) {
    if (!Keys.isOf(phase, record.key()) || last == missed) {
      return;
    }
    int number = Math.toIntExact((Keys.occurrenceMs(record.key()) - writtenMs) / 1_000);
    if (number != last + 1) {
      astray++;
    }
    last = number;
    if (last == missed) {
      done.countDown();
    }
  }

  /**
   * Waits until the last missed occurrence is visible.
   *
   * @throws VoidRunException if it does not come within the bound, or one was left out, doubled or
   *     out of order
   */
  public void await(Duration bound) {
    if (!Await.latch(done, Await.now().plus(bound))) {
      throw new VoidRunException(
          "the replay is not complete after " + bound.toSeconds() + " s, but at " + last);
    }
    if (astray > 0) {
      throw new VoidRunException(astray + " replayed fires were out of turn");
    }
  }
}
