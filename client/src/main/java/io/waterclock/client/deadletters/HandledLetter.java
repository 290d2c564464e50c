package io.waterclock.client.deadletters;

/**
 * What a redrive or a discard made of a dead letter.
 *
 * @param text the topic that gets the record, or why the letter stays
 */
public record HandledLetter(FailedRecord letter, Verdict verdict, String text) {

  /** What it made of it. */
  public enum Verdict {
    /** The record is in its topic again, or would be. */
    REDRIVEN,
    /** The letter is out of the way, or would be. */
    DISCARDED,
    /** The letter stays: its record was sent again too often. */
    TRIED,
    /** The letter stays: its record cannot be sent again. */
    REFUSED
  }

  /** Whether the letter is resolved, or would be. */
  public boolean isDone() {
    return verdict == Verdict.REDRIVEN || verdict == Verdict.DISCARDED;
  }
}
