package io.waterclock.bench.meter;

import io.waterclock.bench.load.Keys;
import io.waterclock.bench.run.BenchException;
import io.waterclock.bench.run.VoidRunException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Waits until something has been seen of each schedule of a phase, once. */
public final class ExpectedRecords implements RecordListener {
  private final String phase;
  private final int expected;
  private final Predicate<ConsumerRecord<byte[], byte[]>> wanted;
  private final OnceEach firsts;
  private final CountDownLatch done = new CountDownLatch(1);
  private int count;

  public ExpectedRecords(
      String phase, int expected, Predicate<ConsumerRecord<byte[], byte[]>> wanted) {
    this.phase = phase;
    this.expected = expected;
    this.wanted = wanted;
    this.firsts = new OnceEach(expected);
  }

  @Override
  public void seen(ConsumerRecord<byte[], byte[]> record, long seenUs) {
    if (!Keys.isOf(phase, record.key()) || !wanted.test(record)) {
      return;
    }
    if (firsts.isFirst(Keys.number(record.key())) && ++count == expected) {
      done.countDown();
    }
  }

  /**
   * @throws BenchException if one is missing after the bound, or was seen twice until then
   */
  public void await(String what, Duration bound) {
    try {
      if (!done.await(bound.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new VoidRunException(
            "after " + bound.toSeconds() + " s only " + count + " of " + expected + " " + what);
      }
    } catch (InterruptedException e) {
      throw new BenchException("interrupted", e);
    }
    firsts.requireNoDoubles(Duration.ZERO);
  }
}
