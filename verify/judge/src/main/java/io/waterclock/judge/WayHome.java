package io.waterclock.judge;

import java.util.OptionalLong;

/**
 * When the task of a schedule knows what clients have written, in its own partition or in another
 * one: a stray goes from task to task.
 */
record WayHome(Terms terms, int home) {
  /** A gate that waits for other partitions opens without them after this time. */
  private static final long GATE_MS = 30_000;

  /** A process that was stopped for less than this does not close its gates. */
  private static final long STALL_MS = 6_000;

  boolean isStray(Entry<?> record) {
    return record.partition() != home;
  }

  /** When the task at home has surely read a record that was kept all the time. */
  OptionalLong knownMs(Entry<?> record) {
    return isStray(record)
        ? committedMs(record)
        : terms.reading().coveredFrom(home, record.visibleMs(), terms.patience().readMs());
  }

  /** When the task at home has surely read a record, and has committed that. */
  OptionalLong committedMs(Entry<?> record) {
    long committedMs = terms.patience().committedMs();
    OptionalLong sent =
        terms.reading().coveredFrom(record.partition(), record.visibleMs(), committedMs);
    return isStray(record) && sent.isPresent()
        ? terms.reading().coveredFrom(home, sent.getAsLong(), committedMs)
        : sent;
  }

  /**
   * Whether the task at home must have known a record when it decided something: time enough was
   * between them, or the task has begun since then, and its gate has waited for the record.
   */
  boolean isKnown(Entry<?> record, long decidedMs) {
    OptionalLong known = knownMs(record);
    if (known.isPresent() && known.getAsLong() < decidedMs) {
      return true;
    }
    OptionalLong began = terms.reading().began(home, decidedMs, STALL_MS);
    return began.isPresent()
        && record.visibleMs() < began.getAsLong()
        && (!isStray(record) || decidedMs < began.getAsLong() + GATE_MS);
  }

  /**
   * Whether a task ran for so long, while a record was kept, that it has read the record and has
   * committed that.
   */
  boolean isSurelyRead(Entry<?> record, long keptMs) {
    OptionalLong committed = committedMs(record);
    return committed.isPresent() && committed.getAsLong() <= record.appendedMs() + keptMs;
  }

  boolean mayBeRead(Entry<?> record, long keptMs) {
    return terms
        .reading()
        .touches(record.partition(), record.appendedMs(), record.appendedMs() + keptMs);
  }
}
