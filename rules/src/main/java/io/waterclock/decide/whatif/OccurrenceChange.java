package io.waterclock.decide.whatif;

import io.waterclock.definition.Occurrence;
import java.time.Instant;
import java.util.Optional;

/**
 * One occurrence that is different.
 *
 * @param before empty if it is added
 * @param after empty if it is removed
 */
public record OccurrenceChange(Optional<Occurrence> before, Optional<Occurrence> after) {
  /** The kind of a change. */
  public enum Kind {
    ADDED,
    REMOVED,
    /** The occurrence fires at another instant. */
    MOVED
  }

  public Kind kind() {
    if (before.isEmpty()) {
      return Kind.ADDED;
    }
    return after.isEmpty() ? Kind.REMOVED : Kind.MOVED;
  }

  /** The earlier of the instants at which it fires. */
  public Instant firstDue() {
    Instant due = before.or(() -> after).orElseThrow().due();
    return after.map(Occurrence::due).filter(due::isAfter).orElse(due);
  }
}
