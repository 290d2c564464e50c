package io.waterclock.bench.meter;

import io.waterclock.bench.load.Keys;
import java.time.Duration;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Waits until each schedule of a phase has caused exactly one record of the wanted kind. */
public final class ExpectedRecords implements RecordListener {
  private final String phase;
  private final Predicate<ConsumerRecord<byte[], byte[]>> wanted;
  private final OnceCounter records;

  public ExpectedRecords(
      String phase, int expected, Predicate<ConsumerRecord<byte[], byte[]>> wanted) {
    this.phase = phase;
    this.wanted = wanted;
    this.records = new OnceCounter(expected);
  }

  @Override
  public void seen(ConsumerRecord<byte[], byte[]> record, long seenUs) {
    if (Keys.isOf(phase, record.key())
        && wanted.test(record)
        && records.isFirst(Keys.number(record.key()))) {
      records.count();
    }
  }

  /**
   * @throws io.waterclock.bench.run.VoidRunException if one is missing after the bound, or came
   *     twice until then
   */
  public void await(String what, Duration bound) {
    records.await(what, bound);
    records.requireNoDoubles(Duration.ZERO);
  }
}
