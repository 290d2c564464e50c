package io.waterclock.decide.whatif;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The difference between the occurrences of one schedule on two sides.
 *
 * @param changes in the order of time
 * @param firesBefore how often the schedule fires in the window on the side before
 * @param firesAfter on the side after
 * @param comparedUntil exclusive: a limit of the effort or of the number of occurrences ended the
 *     comparison here; empty if the whole window was compared
 * @param problems why a side has no occurrences although it has the schedule: its zone is unknown
 */
public record ScheduleDifference(
    String id,
    List<OccurrenceChange> changes,
    int firesBefore,
    int firesAfter,
    Optional<Instant> comparedUntil,
    List<String> problems) {

  /** True if the schedule fires at the same instants, as far as it was compared. */
  public boolean isEmpty() {
    return changes.isEmpty() && problems.isEmpty();
  }

  /** How many occurrences are different in this way. */
  public long count(OccurrenceChange.Kind kind) {
    return changes.stream().filter(change -> change.kind() == kind).count();
  }
}
