package io.waterclock.testkit;

import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Ends and begins a processor's life within one driver, so that stores and offsets outlive it as
 * they outlive a process.
 */
final class Restartable implements Processor<byte[], byte[], byte[], Object> {
  private final Processor<byte[], byte[], byte[], Object> processor;
  private final Duration tick;
  private Optional<ProcessorContext<byte[], Object>> context = Optional.empty();
  private boolean begins;

  Restartable(Processor<byte[], byte[], byte[], Object> processor, Duration tick) {
    this.processor = processor;
    this.tick = tick;
  }

  @Override
  public void init(ProcessorContext<byte[], Object> given) {
    context = Optional.of(given);
    given.schedule(tick, PunctuationType.WALL_CLOCK_TIME, timestamp -> beginIfAsked());
    processor.init(given);
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    beginIfAsked();
    processor.process(record);
  }

  @Override
  public void close() {
    processor.close();
  }

  /** Takes effect with the next record or tick: only then may a processor reach its stores. */
  void restart() {
    begins = true;
  }

  private void beginIfAsked() {
    if (begins) {
      begins = false;
      processor.init(context.orElseThrow());
    }
  }
}
