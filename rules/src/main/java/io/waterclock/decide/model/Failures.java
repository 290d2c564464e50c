package io.waterclock.decide.model;

import io.waterclock.schemas.avro.OutcomeState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The consecutive failed fires of a schedule.
 *
 * <p>Consecutive means in the order of the occurrences, not of the reports. So neither the order in
 * which concurrent runs report nor repeated reports matter.
 *
 * @param after exclusive: occurrences up to this one no longer count, as it succeeded, the schedule
 *     was resumed since, or the definition did not count failures; empty until the first of these
 *     or an edit, while all occurrences of the revision in force count
 * @param failed the occurrences that failed after it, ascending
 */
public record Failures(Optional<Instant> after, List<Instant> failed) {
  /** No known outcome. */
  public static final Failures NONE = new Failures(Optional.empty(), List.of());

  public int count() {
    return failed.size();
  }

  /** Ignores dropped and started fires. */
  Failures reported(Event.Reported report) {
    Instant at = report.occurrence();
    if (report.outcome() == OutcomeState.SUCCEEDED) {
      return countingAfter(at);
    }
    if (report.outcome() != OutcomeState.FAILED || isDone(at) || failed.contains(at)) {
      return this;
    }
    return new Failures(after, Stream.concat(failed.stream(), Stream.of(at)).sorted().toList());
  }

  /** The same, without the failures up to an instant, inclusive. */
  Failures countingAfter(Instant at) {
    return isDone(at)
        ? this
        : new Failures(
            Optional.of(at), failed.stream().filter(other -> other.isAfter(at)).toList());
  }

  /**
   * The same with a lower bound, which an edit would make unknown.
   *
   * @param at exclusive: occurrences count after this, if no other bound is known
   */
  Failures begunAfter(Instant at) {
    return after.isPresent() ? this : countingAfter(at);
  }

  private boolean isDone(Instant at) {
    return after.filter(done -> !at.isAfter(done)).isPresent();
  }
}
