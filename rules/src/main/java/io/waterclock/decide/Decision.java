package io.waterclock.decide;

import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.EarlierLives;
import io.waterclock.decide.model.FirePlan;
import io.waterclock.decide.model.MissedRange;
import io.waterclock.decide.model.Pending;
import io.waterclock.decide.model.RevisionChange;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.definition.Occurrence;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The effects of an event, as data. Only the applier carries them out.
 *
 * @param state the new state; empty when the schedule ends
 * @param pending what the schedule waits for; empty when it is ended, paused, faulted or complete
 * @param status the state of life to announce, when it changed
 * @param verdict the answer to the request
 * @param removed the revision whose definition the applier tombstones in its topic
 * @param problems why a command was refused
 * @param ended what the schedule has decided, when it ends
 * @param alerts of expectations, in the order of time
 * @param upcoming the first occurrences that will fire, when a command asked for them
 */
public record Decision(
    Optional<ScheduleState> state,
    List<FirePlan> fires,
    List<MissedRange> missed,
    List<RevisionChange> revisions,
    Optional<Pending> pending,
    Optional<State> status,
    Optional<Verdict> verdict,
    Optional<Accepted> removed,
    List<Problem> problems,
    Optional<EarlierLives> ended,
    List<Occurrence> upcoming,
    List<AlertPlan> alerts) {

  /** The schedule goes on in a new state; nothing is emitted. The withers below add the rest. */
  static Decision of(ScheduleState state, Optional<Pending> pending) {
    return bare(Optional.of(state), pending, Optional.empty());
  }

  /** The schedule ends; {@code ended} is kept for the next life of its id. */
  static Decision gone(EarlierLives ended) {
    return bare(Optional.empty(), Optional.empty(), Optional.of(ended));
  }

  private static Decision bare(
      Optional<ScheduleState> state, Optional<Pending> pending, Optional<EarlierLives> ended) {
    return new Decision(
        state,
        List.of(),
        List.of(),
        List.of(),
        pending,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        List.of(),
        ended,
        List.of(),
        List.of());
  }

  @SuppressWarnings("ReferenceEquality") // avoids a copy
  Decision with(ScheduleState other) {
    if (state.orElseThrow() == other) {
      return this;
    }
    Optional<ScheduleState> after = Optional.of(other);
    return new Decision(
        after, fires, missed, revisions, pending, status, verdict, removed, problems, ended,
        upcoming, alerts);
  }

  Decision withFires(List<FirePlan> plans) {
    return new Decision(
        state, plans, missed, revisions, pending, status, verdict, removed, problems, ended,
        upcoming, alerts);
  }

  Decision withMissed(List<MissedRange> ranges) {
    return new Decision(
        state, fires, ranges, revisions, pending, status, verdict, removed, problems, ended,
        upcoming, alerts);
  }

  Decision withRevisions(List<RevisionChange> changes) {
    return new Decision(
        state, fires, missed, changes, pending, status, verdict, removed, problems, ended, upcoming,
        alerts);
  }

  Decision withStatus(Optional<State> life) {
    return new Decision(
        state, fires, missed, revisions, pending, life, verdict, removed, problems, ended, upcoming,
        alerts);
  }

  Decision withVerdict(Verdict answer) {
    Optional<Verdict> given = Optional.of(answer);
    return new Decision(
        state, fires, missed, revisions, pending, status, given, removed, problems, ended, upcoming,
        alerts);
  }

  Decision withRemoved(Accepted revision) {
    Optional<Accepted> gone = Optional.of(revision);
    return new Decision(
        state, fires, missed, revisions, pending, status, verdict, gone, problems, ended, upcoming,
        alerts);
  }

  Decision withProblems(List<Problem> reasons) {
    return new Decision(
        state, fires, missed, revisions, pending, status, verdict, removed, reasons, ended,
        upcoming, alerts);
  }

  Decision withUpcoming(List<Occurrence> first) {
    return new Decision(
        state, fires, missed, revisions, pending, status, verdict, removed, problems, ended, first,
        alerts);
  }

  Decision withPending(Optional<Pending> other) {
    return new Decision(
        state, fires, missed, revisions, other, status, verdict, removed, problems, ended, upcoming,
        alerts);
  }

  Decision withAlerts(List<AlertPlan> all) {
    return new Decision(
        state,
        fires,
        missed,
        revisions,
        pending,
        status,
        verdict,
        removed,
        problems,
        ended,
        upcoming,
        List.copyOf(all));
  }

  /** The same decision for a definition that was written no earlier than {@code written}. */
  public Decision saidAt(Instant written) {
    return state.map(after -> with(after.saidAgain(written))).orElse(this);
  }

  /** Puts missed occurrences that precede those of this decision in front of them. */
  Decision alsoMissing(List<MissedRange> before) {
    List<MissedRange> all = new ArrayList<>(before);
    all.addAll(missed);
    return withMissed(all);
  }

  /** Adds the effects of the Resume or the Pause that a definition causes. */
  Decision followedBy(Decision caused) {
    return new Decision(
            caused.state,
            fires,
            caused.missed,
            revisions,
            caused.pending,
            caused.status,
            verdict,
            removed,
            problems,
            ended,
            upcoming,
            alerts)
        .alsoMissing(missed);
  }

  /** The schedule's first undecided occurrence; empty when it waits for none. */
  public Optional<Occurrence> next() {
    return pending.flatMap(Pending::next);
  }

  /** True when the decision emits nothing. */
  public boolean isQuiet() {
    return fires.isEmpty()
        && missed.isEmpty()
        && revisions.isEmpty()
        && status.isEmpty()
        && alerts.isEmpty()
        && removed.isEmpty();
  }
}
