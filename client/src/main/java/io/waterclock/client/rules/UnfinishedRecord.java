package io.waterclock.client.rules;

/**
 * A record of a source that is not finished: until it is, no offset beyond it is committed. Guarded
 * by whoever guards the source.
 */
public class UnfinishedRecord {
  private final long offset;
  private boolean settled;

  UnfinishedRecord(long offset) {
    this.offset = offset;
  }

  /** Where the record stands in its partition. */
  public final long offset() {
    return offset;
  }

  /** Nothing is left to be done for it: its offset may be passed. */
  public final void settle() {
    settled = true;
  }

  final boolean isSettled() {
    return settled;
  }
}
