package io.waterclock.bench.chaos.account;

import java.time.Instant;

/**
 * Something that is wrong.
 *
 * @param atMs the occurrence, or when it was seen
 */
public record Finding(Kind kind, String scheduleId, String revision, long atMs, String detail) {
  /** The ways in which a run can be wrong. */
  public enum Kind {
    /** An occurrence that neither fired nor was missed. */
    LOST,
    /** An occurrence with two outcomes. */
    DOUBLED,
    /** A fire that was seen before it was due. */
    EARLY,
    /** An outcome that no revision owned: off the grid, or after an edit or a delete. */
    FOREIGN,
    /** A reason that does not hold. */
    UNLAWFUL,
    /** A fire that a pause, a skip or a running fire forbids. */
    FORBIDDEN,
    /** Fires of a schedule out of their order. */
    DISORDERED,
    /** A command that was not executed exactly once. */
    COMMAND,
    /** A fire that did not reach its target exactly once. */
    UNROUTED,
    /** A fire that did not have its effect in the database exactly once. */
    EFFECT,
    /** A record that the brokers had confirmed, or a stray, that is gone. */
    INPUT
  }

  @Override
  public String toString() {
    return kind
        + " "
        + scheduleId
        + " "
        + Instant.ofEpochMilli(atMs)
        + " "
        + revision
        + ": "
        + detail;
  }
}
