package io.waterclock.topology.scheduler.model;

import io.waterclock.schemas.avro.OutcomeState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The fires of a schedule that have failed in a row.
 *
 * <p>In a row means in the order of the occurrences, not of the reports. So it makes no difference
 * in which order outcomes of runs side by side arrive, nor how often one is read.
 *
 * @param after exclusive: occurrences up to this one count no more, as it succeeded, the schedule
 *     was resumed since, or nobody counted then; empty while all count that the revision in force
 *     owns, which is so until the first of these or an edit
 * @param failed the occurrences that failed after it, ascending
 */
public record Failures(Optional<Instant> after, List<Instant> failed) {
  /** Nothing is known of any fire. */
  public static final Failures NONE = new Failures(Optional.empty(), List.of());

  public int count() {
    return failed.size();
  }

  /** What was dropped or has only started says nothing. */
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

  /** Failures of occurrences up to an instant, inclusive, count no more. */
  Failures countingAfter(Instant at) {
    return isDone(at)
        ? this
        : new Failures(
            Optional.of(at), failed.stream().filter(other -> other.isAfter(at)).toList());
  }

  /**
   * The same with what an edit would make unknown.
   *
   * @param at exclusive: from where on occurrences count, as long as nothing else is known
   */
  Failures begunAfter(Instant at) {
    return after.isPresent() ? this : countingAfter(at);
  }

  private boolean isDone(Instant at) {
    return after.filter(done -> !at.isAfter(done)).isPresent();
  }
}
