package io.waterclock.topology.scheduler.admit;

import io.waterclock.occurrences.core.Effort;
import io.waterclock.topology.scheduler.input.Inbound;

/**
 * Bounds the records that are admitted in one go, in number, in bytes and in the effort of their
 * decisions: what is left waits for the next tick, so that no transaction takes too long.
 */
final class Slice {
  private static final int MOST_RECORDS = 500;
  private static final long ENOUGH_BYTES = 4L << 20;

  /** Less than a tenth of a second of searching. */
  static final long ENOUGH_STEPS = 2_000_000;

  /** Takes less than a tenth of a second. */
  private static final long ENOUGH_DECODED = 64L << 20;

  private final Effort effort;
  private final long enoughSteps;
  private int records;
  private long bytes;
  private long decoded;

  /**
   * Begins now.
   *
   * @param effort the effort that decisions spend
   */
  Slice(Effort effort) {
    this.effort = effort;
    this.enoughSteps = effort.total() + ENOUGH_STEPS;
  }

  /** Counts a record. */
  void take(Inbound inbound) {
    records++;
    bytes += inbound.size();
  }

  /** Counts the bytes of a definition that is decoded for a record. */
  void decode(long definition) {
    decoded += definition;
  }

  /** Counts a look at a place where no record waits. */
  void look() {
    records++;
  }

  /** True when no further record may be admitted. */
  boolean isSpent() {
    return records >= MOST_RECORDS || bytes >= ENOUGH_BYTES || isCostly();
  }

  /** True when the decisions have spent enough, however many records they were. */
  boolean isCostly() {
    return effort.total() >= enoughSteps || decoded >= ENOUGH_DECODED;
  }
}
