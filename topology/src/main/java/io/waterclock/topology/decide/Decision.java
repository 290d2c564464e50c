package io.waterclock.topology.decide;

import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Verdict;
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
    List<Problem> problems) {

  Decision(
      Optional<ScheduleState> state,
      List<FirePlan> fires,
      List<MissedRange> missed,
      List<RevisionChange> revisions,
      Optional<Occurrence> next,
      Optional<State> status,
      Optional<Verdict> verdict,
      Optional<Accepted> removed) {
    this(state, fires, missed, revisions, next, status, verdict, removed, List.of());
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
            problems);
  }

  /** The same, with occurrences before those that are missed by it. */
  Decision alsoMissing(List<MissedRange> before) {
    List<MissedRange> all = new ArrayList<>(before);
    all.addAll(missed);
    return new Decision(state, fires, all, revisions, next, status, verdict, removed, problems);
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

  static Decision gone(List<MissedRange> missed, List<RevisionChange> revisions, Verdict verdict) {
    return new Decision(
        Optional.empty(),
        List.of(),
        missed,
        revisions,
        Optional.empty(),
        Optional.empty(),
        Optional.of(verdict),
        Optional.empty());
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
        problems);
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
