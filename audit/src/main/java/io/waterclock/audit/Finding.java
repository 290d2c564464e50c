package io.waterclock.audit;

import io.waterclock.occurrences.core.Count;
import java.time.Instant;

/**
 * Something that contradicts the account of a revision.
 *
 * @param first inclusive
 * @param last inclusive
 * @param count how many occurrences it concerns
 * @param detail a description for people
 */
public record Finding(
    Kind kind,
    String scheduleId,
    String revision,
    Instant first,
    Instant last,
    Count count,
    String detail) {

  /** The kind of contradiction. */
  public enum Kind {
    /** Occurrences that were neither fired nor missed. */
    HOLE,
    /** Occurrences that were accounted for more than once. */
    DOUBLE,
    /** An outcome of an instant that is no occurrence of the revision, or not its own. */
    STRAY,
    /** A missed range that holds another number of occurrences than it says. */
    COUNT,
    /** A missed range whose reason the other records contradict. */
    REASON,
    /** Fires emitted before they were due, or due at an instant that is still to come. */
    EARLY,
    /** Fires long after the timestamp of the delete, the pause or the edit that ends them. */
    OVERRUN,
    /** A definition or a delete that was read, and neither took effect nor was refused. */
    IGNORED
  }
}
