package io.waterclock.judge;

import java.time.Instant;

/**
 * Something that is wrong.
 *
 * @param atMs the occurrence, or when it was seen
 */
public record Finding(Kind kind, String scheduleId, long atMs, String detail) {
  /** The ways in which a history can be wrong. */
  public enum Kind {
    /** An occurrence that neither fired nor was missed. */
    LOST,
    /** An occurrence with two outcomes. */
    DOUBLED,
    /** A fire from before it was due. */
    EARLY,
    /** A fire that came late, or an occurrence that was missed, while a scheduler decides. */
    LATE,
    /** An outcome that no revision owned: off the grid, or after an edit or a delete. */
    FOREIGN,
    /** What is said of a revision does not follow from its record. */
    REVISION,
    /** A reason that does not hold. */
    UNLAWFUL,
    /** A fire that a pause, a skip or a running fire forbids. */
    FORBIDDEN,
    /** Fires of a schedule out of their order. */
    DISORDERED,
    /** A command that was not executed exactly once. */
    COMMAND,
    /** A status that is not what is in force. */
    STATUS,
    /** More fires than their limit allows, or fewer. */
    LIMITED,
    /** An alert that is false, doubled, or missing. */
    ALERT,
    /** A fire that did not reach its target exactly once, as it was. */
    UNROUTED,
    /** A fire that did not have its effect exactly once. */
    EFFECT,
    /** A record that the brokers had confirmed, or a stray, that is gone or out of place. */
    INPUT
  }

  @Override
  public String toString() {
    return kind + " " + scheduleId + " " + Instant.ofEpochMilli(atMs) + ": " + detail;
  }
}
