package io.waterclock.bench.meter;

import io.waterclock.bench.load.Keys;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Waits until each schedule of a phase has caused exactly one record of the wanted kind. */
public final class ExpectedRecords extends OnceCounter implements RecordListener {
  private final String phase;
  private final Predicate<ConsumerRecord<byte[], byte[]>> wanted;

  public ExpectedRecords(
      String phase, int expected, Predicate<ConsumerRecord<byte[], byte[]>> wanted) {
    super(expected);
    this.phase = phase;
    this.wanted = wanted;
  }

  @Override
  public void seen(ConsumerRecord<byte[], byte[]> record, long seenUs) {
    if (Keys.isOf(phase, record.key())
        && wanted.test(record)
        && isFirst(Keys.number(record.key()))) {
      count();
    }
  }
}
