package io.waterclock.client.rules;

/**
 * An unfinished record of a partition: the worker commits no offset beyond it. The lock of the
 * {@link FireBuffer} guards it.
 */
public final class UnfinishedRecord {
  private final long offset;
  private int holds;
  private boolean settled;

  UnfinishedRecord(long offset) {
    this.offset = offset;
  }

  /** The record's offset in its partition. */
  public long offset() {
    return offset;
  }

  /** One thing more must be written before the worker may commit beyond the record's offset. */
  public void hold() {
    holds++;
  }

  /**
   * Marks the record as finished: the worker may commit beyond its offset. After a {@link #hold},
   * marks one of the things as written.
   */
  public void settle() {
    if (holds > 0) {
      holds--;
    } else {
      settled = true;
    }
  }

  boolean isSettled() {
    return settled;
  }
}
