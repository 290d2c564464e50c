package io.waterclock.topology.scheduler.decide;

import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Verdict;
import io.waterclock.topology.scheduler.model.Accepted;
import io.waterclock.topology.scheduler.model.EarlierLives;
import io.waterclock.topology.scheduler.model.FirePlan;
import io.waterclock.topology.scheduler.model.MissedRange;
import io.waterclock.topology.scheduler.model.Occurrence;
import io.waterclock.topology.scheduler.model.RevisionChange;
import io.waterclock.topology.scheduler.model.ScheduleState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What follows from an event: data only, carried out by the one class that writes.
 *
 * @param state the new state; empty when the schedule is gone
 * @param next the schedule's first undecided occurrence; empty when it waits for none (gone,
 *     paused, parked or complete)
 * @param status the state of life to announce, when it changed
 * @param verdict the answer to whoever asked
 * @param removed the revision whose definition is to be tombstoned in its topic
 * @param problems why a command was refused
 * @param ended what the schedule has decided, when it is gone
 * @param upcoming what a question asked for: the first occurrences that are to fire
 */
public record Decision(
    Optional<ScheduleState> state,
    List<FirePlan> fires,
    List<MissedRange> missed,
    List<RevisionChange> revisions,
    Optional<Occurrence> next,
    Optional<State> status,
    Optional<Verdict> verdict,
    Optional<Accepted> removed,
    List<Problem> problems,
    Optional<EarlierLives> ended,
    List<Occurrence> upcoming) {

  Decision(
      Optional<ScheduleState> state,
      List<FirePlan> fires,
      List<MissedRange> missed,
      List<RevisionChange> revisions,
      Optional<Occurrence> next,
      Optional<State> status,
      Optional<Verdict> verdict,
      Optional<Accepted> removed) {
    this(
        state,
        fires,
        missed,
        revisions,
        next,
        status,
        verdict,
        removed,
        List.of(),
        Optional.empty(),
        List.of());
  }

  @SuppressWarnings("ReferenceEquality") // spares a copy
  Decision with(ScheduleState newState) {
    return state.orElseThrow() == newState
        ? this
        : new Decision(
            Optional.of(newState),
            fires,
            missed,
            revisions,
            next,
            status,
            verdict,
            removed,
            problems,
            ended,
            upcoming);
  }

  /** The same of a definition that was written no earlier than this. */
  public Decision saidAt(Instant written) {
    return state.map(after -> with(after.saidAgain(written))).orElse(this);
  }

  /** The same, with occurrences before those that are missed by it. */
  Decision alsoMissing(List<MissedRange> before) {
    List<MissedRange> all = new ArrayList<>(before);
    all.addAll(missed);
    return new Decision(
        state, fires, all, revisions, next, status, verdict, removed, problems, ended, upcoming);
  }

  /** A definition, with what a Resume makes of it at once. */
  Decision followedBy(Decision resumed) {
    return new Decision(
            resumed.state,
            fires,
            resumed.missed,
            revisions,
            resumed.next,
            resumed.status,
            verdict,
            removed,
            problems,
            ended,
            upcoming)
        .alsoMissing(missed);
  }

  static Decision of(ScheduleState state, Optional<Occurrence> next) {
    return new Decision(
        Optional.of(state),
        List.of(),
        List.of(),
        List.of(),
        next,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /**
   * @param removed the revision whose definition is to be tombstoned in its topic
   */
  static Decision gone(
      List<MissedRange> missed,
      List<RevisionChange> revisions,
      Optional<Verdict> verdict,
      Optional<Accepted> removed,
      EarlierLives ended) {
    return new Decision(
        Optional.empty(),
        List.of(),
        missed,
        revisions,
        Optional.empty(),
        Optional.empty(),
        verdict,
        removed,
        List.of(),
        Optional.of(ended),
        List.of());
  }

  /** What a command has led to; the state is announced, as it has changed. */
  static Decision executed(
      ScheduleState state, List<MissedRange> missed, Optional<Occurrence> next) {
    return new Decision(
        Optional.of(state),
        List.of(),
        missed,
        List.of(),
        next,
        Optional.of(state.life()),
        Optional.of(Verdict.EXECUTED),
        Optional.empty());
  }

  /** Fires that commands have ordered, which leave the trigger's own occurrences alone. */
  static Decision fired(
      ScheduleState state,
      List<FirePlan> fires,
      Optional<Occurrence> next,
      Optional<State> status) {
    return new Decision(
        Optional.of(state),
        fires,
        List.of(),
        List.of(),
        next,
        status,
        Optional.empty(),
        Optional.empty());
  }

  /** A command of whose outcome nothing is announced. */
  static Decision ofCommand(
      ScheduleState state, Verdict verdict, Optional<Occurrence> next, List<Problem> problems) {
    return new Decision(
        Optional.of(state),
        List.of(),
        List.of(),
        List.of(),
        next,
        Optional.empty(),
        Optional.of(verdict),
        Optional.empty(),
        problems,
        Optional.empty(),
        List.of());
  }

  /** What a question is told; nothing follows from it. */
  static Decision told(ScheduleState state, Optional<Occurrence> next, List<Occurrence> upcoming) {
    return new Decision(
        Optional.of(state),
        List.of(),
        List.of(),
        List.of(),
        next,
        Optional.empty(),
        Optional.of(Verdict.UNCHANGED),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        upcoming);
  }

  /** True when nothing is to be emitted. */
  public boolean isQuiet() {
    return fires.isEmpty()
        && missed.isEmpty()
        && revisions.isEmpty()
        && status.isEmpty()
        && removed.isEmpty();
  }
}
