package io.waterclock.bench.meter;

import io.waterclock.bench.load.Keys;
import io.waterclock.bench.run.Await;
import io.waterclock.bench.run.BenchException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.BitSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Sees when fires come back to partitions whose scheduler has gone: when the first fire that was
 * due since is visible, in the first and in the last of the partitions, and when fires are on time
 * again in all of them.
 */
public final class ReturnMeter implements RecordListener {
  private static final Duration ON_TIME = Duration.ofSeconds(1);

  private final Set<Integer> partitions;
  private final Instant since;
  private final BitSet back = new BitSet();
  private final BitSet onTime = new BitSet();
  private final CountDownLatch done = new CountDownLatch(1);
  private long firstUs;
  private long lastUs;
  private long onTimeUs;

  /**
   * @param since when the scheduler went; what was due before is not looked at
   */
  public ReturnMeter(Set<Integer> partitions, Instant since) {
    this.partitions = partitions;
    this.since = since;
  }

  @Override
  public void seen(ConsumerRecord<byte[], byte[]> record, long seenUs) {
    if (!partitions.contains(record.partition()) || done.getCount() == 0) {
      return;
    }
    Instant due = Instant.ofEpochMilli(Keys.occurrenceMs(record.key()));
    if (due.isBefore(since)) {
      return;
    }
    if (!back.get(record.partition())) {
      back.set(record.partition());
      firstUs = back.cardinality() == 1 ? seenUs : firstUs;
      lastUs = seenUs;
    }
    boolean late = seenUs - due.toEpochMilli() * 1_000 > ON_TIME.toNanos() / 1_000;
    onTime.set(record.partition(), !late);
    if (onTime.cardinality() == partitions.size()) {
      onTimeUs = seenUs;
      done.countDown();
    }
  }

  /**
   * When fires were back.
   *
   * @param first in the first partition
   * @param all in all partitions
   * @param onTime less than a second late in all partitions
   */
  public record Return(Instant first, Instant all, Instant onTime) {}

  /**
   * Waits until fires are on time again in all partitions.
   *
   * @throws BenchException if they are not within the bound
   */
  public Return await(Duration bound) {
    if (!Await.latch(done, since.plus(bound))) {
      throw new BenchException("fires are not on time again after " + bound.toSeconds() + " s");
    }
    return new Return(instant(firstUs), instant(lastUs), instant(onTimeUs));
  }

  private static Instant instant(long us) {
    return Instant.EPOCH.plus(us, ChronoUnit.MICROS);
  }
}
