package io.waterclock.sim.judge;

import java.util.OptionalLong;

/**
 * When the task of a schedule knows what clients have written, in its own partition or in another
 * one: a stray goes from task to task.
 */
record WayHome(Facts facts, int home) {
  /** Within which a task that runs has read a record. */
  static final long READ_MS = 5_000;

  /** Within which a task that runs has read a record and committed that; a rebalance delays it. */
  static final long COMMITTED_MS = 10_000;

  /** A gate that waits for other partitions opens without them after this time. */
  private static final long GATE_MS = 30_000;

  /** A process that was stopped for less than this does not close its gates. */
  private static final long STALL_MS = 6_000;

  boolean isStray(Submitted record) {
    return record.partition() != home;
  }

  /** When the task at home has surely read a record that was kept all the time. */
  OptionalLong knownMs(Submitted record) {
    return isStray(record)
        ? committedMs(record)
        : facts.reading().coveredFrom(home, record.visibleMs(), READ_MS);
  }

  /** When the task at home has surely read a record, and has committed that. */
  OptionalLong committedMs(Submitted record) {
    OptionalLong sent =
        facts.reading().coveredFrom(record.partition(), record.appendedMs(), COMMITTED_MS);
    return isStray(record) && sent.isPresent()
        ? facts.reading().coveredFrom(home, sent.getAsLong(), COMMITTED_MS)
        : sent;
  }

  /**
   * Whether the task at home must have known a record when it decided something: time enough was
   * between them, or the task has begun since then, and its gate has waited for the record.
   */
  boolean isKnown(Submitted record, long decidedMs) {
    OptionalLong known = knownMs(record);
    if (known.isPresent() && known.getAsLong() < decidedMs) {
      return true;
    }
    OptionalLong began = facts.reading().began(home, decidedMs, STALL_MS);
    return began.isPresent()
        && record.visibleMs() < began.getAsLong()
        && (!isStray(record) || decidedMs < began.getAsLong() + GATE_MS);
  }
}
