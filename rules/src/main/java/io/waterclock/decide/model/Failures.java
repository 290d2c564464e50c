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
 * @param failed the occurrences that failed after it, ascending; the latest ones of a schedule that
 *     is failing
 * @param failing present from the failure that is one too many until the next success
 */
public record Failures(Optional<Instant> after, List<Instant> failed, Optional<Failing> failing) {
  /** No known outcome. */
  public static final Failures NONE = new Failures(Optional.empty(), List.of(), Optional.empty());

  /**
   * What failures count for.
   *
   * @param pauses whether the definition pauses the schedule after some of them
   * @param failingAfter after how many in a row the schedule is failing; 0: never
   */
  public record Counting(boolean pauses, int failingAfter) {
    boolean isOff() {
      return !pauses && failingAfter == 0;
    }
  }

  public int count() {
    return failed.size();
  }

  /** Ignores dropped and started fires. */
  Failures reported(Event.Reported report, Counting counting, Instant now) {
    Instant at = report.occurrence();
    if (report.outcome() == OutcomeState.SUCCEEDED) {
      return succeeded(at, counting);
    }
    if (report.outcome() != OutcomeState.FAILED
        || counting.isOff()
        || isDone(at)
        || failed.contains(at)) {
      return this;
    }
    List<Instant> all = Stream.concat(failed.stream(), Stream.of(at)).sorted().toList();
    long number = failing.map(known -> known.count() + 1).orElse((long) all.size());
    Optional<Failing> known =
        counting.failingAfter() > 0 && number >= counting.failingAfter()
            ? Optional.of(Failing.after(failing, number, report, now))
            : failing;
    Failures counted = new Failures(after, all, known);
    return counting.pauses() ? counted : counted.latest(counting.failingAfter());
  }

  /**
   * A success ends the row. What does not pause its schedule remembers nothing without failures.
   */
  private Failures succeeded(Instant at, Counting counting) {
    if (isDone(at)) {
      return this;
    }
    List<Instant> rest = failed.stream().filter(other -> other.isAfter(at)).toList();
    if (rest.isEmpty() && !counting.pauses()) {
      return NONE;
    }
    Optional<Failing> still =
        failing
            .filter(known -> counting.failingAfter() > 0)
            .filter(known -> rest.size() >= counting.failingAfter())
            .map(known -> known.counting(rest.size()));
    return new Failures(Optional.of(at), rest, still);
  }

  /** The same with a bounded list, where no more is needed. */
  private Failures latest(int most) {
    int gone = failed.size() - most;
    return gone <= 0
        ? this
        : new Failures(
            Optional.of(failed.get(gone - 1)),
            List.copyOf(failed.subList(gone, failed.size())),
            failing);
  }

  /** The same, without the failures up to an instant, inclusive; a failing schedule stays so. */
  Failures countingAfter(Instant at) {
    return isDone(at)
        ? this
        : new Failures(
            Optional.of(at), failed.stream().filter(other -> other.isAfter(at)).toList(), failing);
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
