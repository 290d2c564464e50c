package io.waterclock.client.rules;

/**
 * An unfinished record of a partition: the worker commits no offset beyond it. The lock of the
 * {@link FireBuffer} guards it.
 */
public class UnfinishedRecord {
  private final long offset;
  private boolean settled;

  UnfinishedRecord(long offset) {
    this.offset = offset;
  }

  /** The record's offset in its partition. */
  public final long offset() {
    return offset;
  }

  /** Marks the record as finished: the worker may commit beyond its offset. */
  public final void settle() {
    settled = true;
  }

  final boolean isSettled() {
    return settled;
  }
}
