package io.waterclock.topology.scheduler.emit;

import org.apache.kafka.streams.processor.api.Record;

public record Outgoing(Sink sink, Record<byte[], Object> record) {
  /** True for a record to the limiter that is no fire. */
  public boolean isNoteToLimiter() {
    return sink == Sink.WAITING
        && record.value() instanceof Addressed addressed
        && addressed.value() == null;
  }
}
