package io.waterclock.decide.model;

import io.waterclock.definition.ImportValidation;
import io.waterclock.schemas.avro.Expectation;
import io.waterclock.schemas.avro.OutcomeState;
import io.waterclock.schemas.text.Instants;
import io.waterclock.schemas.text.SafeText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * One expectation of a schedule while something depends on it.
 *
 * <p>Idea: fires and reports only note facts. {@link #decide} finds what became overdue and what
 * recovered, in the order of time, up to an instant by which everything is read. So the result does
 * not depend on when, how often and in which order records are read. A fire meets the expectation
 * by its own report, or by that of a later fire.
 *
 * <p>With {@code succeeded_every}, a run is the time from one success to the next, and something is
 * expected of it once a fire is due in it. So a weekend, a holiday or a pause is not overdue.
 *
 * <p>Example: {@code succeeded_within} 5 minutes, fires at 10:00 and 10:10. No report by 10:05:
 * what was fired at 10:00 is overdue at 10:05. A success of 10:10 at 10:12: recovered at 10:12.
 *
 * @param expectation which one
 * @param open what is not decided, by the time at which it is late, {@link
 *     ImportValidation#MAX_OPEN} at most: of more, every second one is watched
 * @param isOverdue whether the first of them was announced as overdue
 */
public record Watch(Expectation expectation, List<OpenRun> open, boolean isOverdue) {
  private static final int MOST_OPEN = ImportValidation.MAX_OPEN;

  /**
   * What was decided.
   *
   * @param run that is overdue, or was
   * @param at when it became so
   * @param isOverdue false: it has recovered
   */
  public record Change(OpenRun run, Instant at, boolean isOverdue) {}

  /** The same after what was decided. */
  public record Decided(Watch watch, List<Change> changes) {}

  public Watch {
    open = List.copyOf(open);
  }

  static Watch of(Expectation expectation) {
    return new Watch(expectation, List.of(), false);
  }

  private Watch with(List<OpenRun> runs) {
    return new Watch(expectation, runs, isOverdue);
  }

  private boolean isEvery() {
    return expectation == Expectation.SUCCEEDED_EVERY;
  }

  /** True if nothing depends on it: the next fire begins it again. */
  boolean isIdle() {
    return open.isEmpty();
  }

  /**
   * What was not late when a pause began is not expected any more; what was late may recover. What
   * a success has begun stays until the end of the pause is known, which may be before it.
   *
   * @param since inclusive
   * @param until exclusive: what began from then on follows the pause; empty while it lasts
   */
  Watch paused(Instant since, Optional<Instant> until, Duration within) {
    return with(
        open.stream()
            .filter(
                run ->
                    isAnnounced(run)
                        || run.lateAt().filter(late -> !late.isAfter(since)).isPresent()
                        || until
                            .map(end -> !run.began(within).isBefore(end))
                            .orElse(run.firedAt().isEmpty()))
            .toList());
  }

  /**
   * After a fire of the trigger. One that waits for a limit is only kept until it starts, and no
   * time between successes depends on it before.
   *
   * @param due from when its time counts
   */
  Watch fired(FirePlan fire, Instant due, Duration within, Instant now) {
    boolean waits = !fire.longestWait().isZero();
    return waits && isEvery()
        ? this
        : begun(fire.occurrence().at(), due.plus(fire.longestWait()), within, now);
  }

  private Watch begun(Instant occurrence, Instant due, Duration within, Instant now) {
    OpenRun run = OpenRun.fired(occurrence, due.plus(within), now);
    return isEvery() ? with(begun(run, due, now)) : inOrder(withRoom(), run);
  }

  private List<OpenRun> begun(OpenRun run, Instant due, Instant now) {
    List<OpenRun> times = new ArrayList<>(open);
    Optional<OpenRun> current = underWay();
    if (current.filter(time -> time.isMetBefore(due)).isPresent()) {
      return times;
    }
    if (current.isEmpty() || isOver(current.get(), due)) {
      current.ifPresent(times::remove);
      if (times.size() < MOST_OPEN) {
        times.add(run);
      }
    } else {
      times.set(times.size() - 1, current.get().fired(now));
    }
    return times;
  }

  /** Without every second run if there are too many: the oldest stay, and the newest are denser. */
  private List<OpenRun> withRoom() {
    List<OpenRun> runs = new ArrayList<>();
    for (int i = 0; i < open.size(); i++) {
      if (open.size() < MOST_OPEN || i == 0 || i % 2 == 1) {
        runs.add(open.get(i));
      }
    }
    return runs;
  }

  /**
   * What was announced stays in front; others may wait for a limit, and be late after newer ones.
   */
  private Watch inOrder(List<OpenRun> runs, OpenRun added) {
    runs.add(added);
    return inOrder(runs);
  }

  private Watch inOrder(List<OpenRun> runs) {
    runs.subList(isOverdue ? 1 : 0, runs.size())
        .sort(Comparator.comparing(run -> run.lateAt().orElseThrow()));
    return with(runs);
  }

  /** After a fire has waited for its limit. */
  Watch waited(Event.Waited waited, Duration within) {
    Instant at = waited.at();
    if (isEvery()) {
      return waited.hasStarted() ? begun(waited.occurrence(), at, within, at) : this;
    }
    return waited.hasStarted()
        ? startedLate(waited.occurrence(), at, at.plus(within))
        : met(run -> run.occurrence().equals(waited.occurrence()), at);
  }

  /** Its time begins only now. Others may have begun before it that were fired later. */
  private Watch startedLate(Instant occurrence, Instant at, Instant deadline) {
    List<OpenRun> runs = new ArrayList<>(open);
    for (int i = isOverdue ? 1 : 0; i < runs.size(); i++) {
      OpenRun run = runs.get(i);
      if (run.occurrence().equals(occurrence) && deadline.isBefore(run.deadline())) {
        runs.set(i, new OpenRun(occurrence, deadline, Optional.of(at), run.metAt(), run.report()));
      }
    }
    return inOrder(runs);
  }

  /** The time since the last success. */
  private Optional<OpenRun> underWay() {
    return open.isEmpty()
        ? Optional.empty()
        : Optional.of(open.get(open.size() - 1)).filter(run -> run.metAt().isEmpty());
  }

  /** True for a time in which nothing was due. */
  private static boolean isOver(OpenRun time, Instant due) {
    return time.firedAt().isEmpty() && !due.isBefore(time.deadline());
  }

  /** The time from a success to the next one, if none is under way. */
  static Watch begunBy(Event.Reported success, Duration within, Instant now) {
    Instant at = at(success, now);
    return of(Expectation.SUCCEEDED_EVERY).with(List.of(OpenRun.since(at, at.plus(within))));
  }

  /** A run cannot end before its occurrence, whatever the worker's clock shows. */
  static Instant at(Event.Reported report, Instant now) {
    return Instants.later(report.effectiveBy(now), report.occurrence().plusMillis(1));
  }

  /**
   * After a report.
   *
   * @param past of the schedule: a success before the end of its latest pause begins no time
   */
  Watch reported(Event.Reported report, Duration within, Past past, Instant now) {
    Instant at = at(report, now);
    boolean meets =
        switch (report.outcome()) {
          case SUCCEEDED -> true;
          case STARTED, FAILED -> expectation == Expectation.STARTED_WITHIN;
          case DROPPED -> false;
        };
    Watch noted = noted(report, at);
    if (meets) {
      return isEvery()
          ? noted.succeeded(within, at, !past.isHeldAt(at))
          : noted.met(run -> !run.occurrence().isAfter(report.occurrence()), at);
    }
    boolean isDropped = report.outcome() == OutcomeState.DROPPED && !isEvery();
    return isDropped ? noted.met(run -> run.occurrence().equals(report.occurrence()), at) : noted;
  }

  private Watch noted(Event.Reported report, Instant at) {
    OpenRun.Report seen =
        new OpenRun.Report(
            report.outcome(),
            at,
            report.error().map(text -> SafeText.beginning(text, ImportValidation.LONGEST_ERROR)));
    return with(
        open.stream().map(run -> isAbout(report, at, run) ? run.reported(seen) : run).toList());
  }

  private boolean isAbout(Event.Reported report, Instant at, OpenRun run) {
    return isEvery()
        ? run.metAt().isEmpty() && at.isAfter(run.occurrence())
        : run.occurrence().equals(report.occurrence());
  }

  /** What came true in time is over, unless it was announced as overdue before that was read. */
  private Watch met(Predicate<OpenRun> which, Instant at) {
    List<OpenRun> runs = new ArrayList<>();
    for (OpenRun run : open) {
      OpenRun after = which.test(run) ? run.met(at) : run;
      if (after.metAt().isEmpty() || !after.isMetInTime() || isAnnounced(run)) {
        runs.add(after);
      }
    }
    return with(runs);
  }

  private boolean isAnnounced(OpenRun run) {
    return isOverdue && run.equals(open.get(0));
  }

  /** A success ends the time in which it lies, and may begin the next. */
  private Watch succeeded(Duration within, Instant at, boolean begins) {
    List<OpenRun> runs = new ArrayList<>();
    for (OpenRun time : open) {
      if (!at.isAfter(time.occurrence()) || time.isMetBy(at)) {
        runs.add(time);
        continue;
      }
      OpenRun ended = time.met(at);
      if ((!ended.isMetInTime() || isAnnounced(time)) && open.size() < MOST_OPEN) {
        runs.add(ended);
      }
      OpenRun next = OpenRun.since(at, at.plus(within));
      if (!begins) {
        continue;
      }
      if (time.metAt().isEmpty()) {
        runs.add(next);
      } else { // this success was read after a later one
        Optional<Instant> fired = time.firedAt().filter(at::isBefore);
        OpenRun before = fired.map(next::fired).orElse(next).met(time.metAt().get());
        if (!before.isMetInTime()) {
          runs.add(before);
        }
      }
    }
    return with(runs);
  }

  /** When there is something to decide; empty if only a fire or a report can change anything. */
  Optional<Instant> nextDecision() {
    return next().map(Change::at);
  }

  /**
   * Decides what became overdue and what has recovered.
   *
   * @param through inclusive: everything that was written by then is read
   */
  public Decided decide(Instant through) {
    Watch watch = this;
    List<Change> changes = new ArrayList<>();
    Optional<Change> next = watch.next();
    while (next.isPresent() && !next.get().at().isAfter(through)) {
      changes.add(next.get());
      watch = watch.after(next.get());
      next = watch.next();
    }
    return new Decided(watch, List.copyOf(changes));
  }

  private Optional<Change> next() {
    return isOverdue
        ? recovery().map(at -> new Change(open.get(0), at, false))
        : open.stream()
            .findFirst()
            .flatMap(run -> run.lateAt().map(at -> new Change(run, at, true)));
  }

  /** The first instant at which something came true, and nothing else was late. */
  private Optional<Instant> recovery() {
    Instant announced = open.get(0).lateAt().orElseThrow();
    return open.stream()
        .flatMap(run -> run.metAt().stream())
        .map(at -> Instants.later(at, announced))
        .sorted()
        .filter(at -> open.stream().noneMatch(run -> isLateAt(run, at)))
        .findFirst();
  }

  private static boolean isLateAt(OpenRun run, Instant at) {
    return !run.isMetBy(at) && run.lateAt().filter(late -> !late.isAfter(at)).isPresent();
  }

  private Watch after(Change change) {
    return change.isOverdue()
        ? new Watch(expectation, open, true)
        : new Watch(
            expectation, open.stream().filter(run -> !run.isMetBy(change.at())).toList(), false);
  }

  /** True while the deadline of a fire is still to come: its schedule does not complete before. */
  boolean isOpen(Instant now) {
    return open.stream()
        .filter(run -> run.firedAt().isPresent())
        .anyMatch(
            run ->
                !isOverdue
                    || (!run.isMetBy(now) && run.lateAt().filter(now::isBefore).isPresent()));
  }
}
