package io.waterclock.decide.model;

import io.waterclock.schemas.avro.Expectation;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.text.Instants;
import io.waterclock.schemas.text.SafeText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * One expectation of a schedule's fires, while it is in force.
 *
 * <p>Idea: fires and reports only note facts; {@link #decide} tells what is overdue and what has
 * recovered, in the order of time, for what everything is known of that was written by then. So the
 * result does not depend on when records are read. A fire meets the expectation by its own report
 * or by that of a later fire.
 *
 * @param expectation which one
 * @param open ascending; with {@code succeeded_every}, the times between successes that are not
 *     decided, the last of which goes on. {@link #MOST_OPEN} at most, the earliest
 * @param overdue what was told last, until it has recovered
 */
public record Watch(Expectation expectation, List<OpenRun> open, Optional<OpenRun> overdue) {
  /** The largest number of open runs. */
  public static final int MOST_OPEN = 100;

  private static final int LONGEST_ERROR = 500;

  /**
   * What was decided of an expectation.
   *
   * @param run that is overdue, or was
   * @param at when it became so
   * @param isOverdue false: it has recovered
   */
  public record Change(OpenRun run, Instant at, boolean isOverdue) {}

  /** The same with what was decided meanwhile. */
  public record Decided(Watch watch, List<Change> changes) {}

  static Watch of(Expectation expectation) {
    return new Watch(expectation, List.of(), Optional.empty());
  }

  /** Inclusive: its deadline, but not before it was fired; what comes true by then is in time. */
  private Instant lateFrom(OpenRun run, Duration within) {
    Instant deadline = run.deadline(within);
    return isEvery() ? deadline : Instants.later(deadline, run.firedAt().orElse(deadline));
  }

  private boolean isInTime(OpenRun run, Duration within) {
    return run.metAt().filter(met -> !met.isAfter(lateFrom(run, within))).isPresent();
  }

  private boolean isEvery() {
    return expectation == Expectation.SUCCEEDED_EVERY;
  }

  private Watch with(List<OpenRun> runs) {
    return new Watch(expectation, List.copyOf(runs), overdue);
  }

  private Watch each(UnaryOperator<OpenRun> change) {
    return with(open.stream().map(change).toList());
  }

  /** From an instant on a success is expected, if it is expected time after time. */
  public Watch begun(Instant at) {
    return isEvery() && open.isEmpty()
        ? with(List.of(OpenRun.of(at, at, Optional.empty())))
        : this;
  }

  /** Nothing is expected in a pause. */
  public Watch paused() {
    return with(List.of());
  }

  /** After a fire of the trigger. */
  public Watch fired(Instant occurrence, Instant due, Instant now) {
    if (isEvery()) {
      return each(run -> run.fired(now));
    }
    return open.size() >= MOST_OPEN
        ? this
        : with(
            Stream.concat(
                    open.stream(), Stream.of(OpenRun.of(occurrence, due, Optional.of(now))))
                .toList());
  }

  /** After a report, which takes effect at an instant. */
  public Watch reported(Event.Reported report, Duration within, Instant at) {
    OpenRun.Report seen =
        new OpenRun.Report(
            report.outcome(), at, report.error().map(text -> SafeText.cut(text, LONGEST_ERROR)));
    Watch noted =
        each(
            run ->
                isEvery() || run.occurrence().equals(report.occurrence())
                    ? run.reported(seen)
                    : run);
    if (report.outcome() == OutcomeState.DROPPED && !isEvery()) {
      return noted.met(run -> run.occurrence().equals(report.occurrence()), within, at);
    }
    if (!meets(report.outcome())) {
      return noted;
    }
    return isEvery()
        ? noted.metEvery(within, at)
        : noted.met(run -> !run.occurrence().isAfter(report.occurrence()), within, at);
  }

  private boolean meets(OutcomeState outcome) {
    return outcome == OutcomeState.SUCCEEDED
        || (expectation == Expectation.STARTED_WITHIN && outcome != OutcomeState.DROPPED);
  }

  /** What is in time is done with at once, unless something else is overdue. */
  private Watch met(Predicate<OpenRun> which, Duration within, Instant at) {
    List<OpenRun> rest = new ArrayList<>();
    for (OpenRun run : open) {
      if (!which.test(run)) {
        rest.add(run);
      } else if (overdue.isPresent() || !isInTime(run.met(at), within)) {
        rest.add(run.met(at));
      }
    }
    return with(rest);
  }

  /** A success ends the time in which it was expected, and begins the next one. */
  private Watch metEvery(Duration within, Instant at) {
    if (open.isEmpty()) {
      return this;
    }
    List<OpenRun> runs = new ArrayList<>(open);
    OpenRun last = runs.remove(runs.size() - 1);
    if (!at.isAfter(last.due())) {
      return this;
    }
    boolean isInTime = !at.isAfter(last.deadline(within));
    boolean isTold = overdue.isPresent() && runs.isEmpty();
    if ((!isInTime || isTold) && runs.size() + 1 < MOST_OPEN) {
      runs.add(last.met(at));
    }
    runs.add(OpenRun.of(at, at, Optional.empty()));
    return with(runs);
  }

  /** When there is something to decide; empty if only a fire or a report can change anything. */
  public Optional<Instant> nextDecision(Duration within) {
    if (overdue.isEmpty()) {
      return open.stream().findFirst().map(run -> lateFrom(run, within));
    }
    return recovery(within, Instant.MAX);
  }

  /**
   * Decides what became overdue and what has recovered.
   *
   * @param through inclusive: everything that was written by then is known
   */
  public Decided decide(Duration within, Instant through) {
    Watch watch = this;
    List<Change> changes = new ArrayList<>();
    while (true) {
      Optional<Change> next = watch.next(within, through);
      if (next.isEmpty()) {
        return new Decided(watch, List.copyOf(changes));
      }
      changes.add(next.get());
      watch = watch.after(next.get(), within);
    }
  }

  private Optional<Change> next(Duration within, Instant through) {
    if (overdue.isPresent()) {
      return recovery(within, through).map(at -> new Change(overdue.get(), at, false));
    }
    return open.stream()
        .findFirst()
        .filter(run -> !lateFrom(run, within).isAfter(through))
        .map(run -> new Change(run, lateFrom(run, within), true));
  }

  /** The first instant at which something came true, and nothing else was late. */
  private Optional<Instant> recovery(Duration within, Instant through) {
    return open.stream()
        .flatMap(run -> run.metAt().stream())
        .filter(at -> !at.isAfter(through))
        .sorted()
        .filter(
            at ->
                open.stream()
                    .allMatch(run -> lateFrom(run, within).isAfter(at) || run.isMetBy(at)))
        .findFirst();
  }

  private Watch after(Change change, Duration within) {
    if (change.isOverdue()) {
      return new Watch(expectation, open, Optional.of(change.run()));
    }
    List<OpenRun> rest =
        open.stream()
            .filter(run -> !run.isMetBy(change.at()) && !isInTime(run, within))
            .toList();
    Watch recovered = new Watch(expectation, rest, Optional.empty());
    return recovered.begun(change.at());
  }

  /** Whether a deadline of a run is still to come: a schedule does not end before. */
  public boolean isOpen() {
    return overdue.isEmpty() && !open.isEmpty() && !isEvery();
  }
}
