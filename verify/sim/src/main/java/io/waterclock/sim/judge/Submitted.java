package io.waterclock.sim.judge;

import io.waterclock.sim.broker.LogRecord;

/** A record in the partition to which its client has written it. */
record Submitted(LogRecord record, int partition) {
  long timestampMs() {
    return record.timestampMs();
  }

  long appendedMs() {
    return record.appendedMs();
  }

  long visibleMs() {
    return record.visibleMs();
  }

  /** Whether it was surely written later; of two with one timestamp only in one partition. */
  boolean isAfter(Submitted other) {
    return timestampMs() == other.timestampMs()
        ? partition == other.partition && record.offset() > other.record.offset()
        : timestampMs() > other.timestampMs();
  }
}
