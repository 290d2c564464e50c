package io.waterclock.topology.scheduler.model;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.State;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * All that a decision about one schedule depends on.
 *
 * @param current the newest accepted revision
 * @param decidedThrough inclusive: every occurrence of the oldest revision below up to this instant
 *     is decided
 * @param carried missed occurrences of replaced revisions, oldest first
 * @param older replaced revisions that still own undecided occurrences, oldest first; all younger
 *     than those in carried
 * @param replayThrough inclusive: where the replay under way ends
 * @param fault why the schedule is parked
 * @param completedAt when its completion was recorded
 * @param orders what commands have set and ordered
 * @param runs what is known of its runs, where it asks for outcomes
 */
public record ScheduleState(
    ScheduleId id,
    Accepted current,
    Instant decidedThrough,
    List<CarriedOccurrences> carried,
    List<ReplacedRevision> older,
    Optional<Instant> replayThrough,
    Optional<String> fault,
    Optional<Instant> completedAt,
    CommandState orders,
    Runs runs) {
  /** More than a skip list and the skips of commands have instants, and the stretches between. */
  public static final long SEQ_STRIDE = 10_000;

  /** A state in which nothing is left of earlier revisions. */
  public static ScheduleState of(
      ScheduleId id, Accepted current, Instant decidedThrough, Optional<Instant> completedAt) {
    return new ScheduleState(
        id,
        current,
        decidedThrough,
        List.of(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        completedAt,
        CommandState.NONE,
        Runs.NONE);
  }

  /** True when {@code decidedThrough} says everything that there is to say about its progress. */
  public boolean isPlain() {
    return carried.isEmpty()
        && older.isEmpty()
        && replayThrough.isEmpty()
        && fault.isEmpty()
        && orders.isEmpty()
        && runs.isEmpty();
  }

  /**
   * True while a command or the definition pauses the schedule. Nothing of replaced revisions is
   * undecided then.
   */
  public boolean isHeld() {
    return orders.pause().isPresent() || !(current.enabled() || orders.resumed());
  }

  /** The state of life that people are told. */
  public State life() {
    if (fault.isPresent()) {
      return State.FAULTED;
    }
    if (completedAt.isPresent()) {
      return State.COMPLETED;
    }
    return isHeld() ? State.PAUSED : State.ACTIVE;
  }

  /** True when the skip list of a revision or a command leaves an occurrence out. */
  public boolean isSkipped(Accepted revision, Instant at) {
    return revision.schedule().getSkip().contains(at) || orders.skips().contains(at);
  }

  /** True for an occurrence of the replay under way. */
  public boolean isReplayed(Instant at) {
    return replayThrough.filter(through -> !at.isAfter(through)).isPresent();
  }

  /** The fire that a Resume has ordered for an occurrence. */
  public Optional<ResumeFire> ordered(Instant at) {
    return orders.held().filter(fire -> fire.at().equals(at));
  }

  /** The oldest revision that still owns undecided occurrences. */
  public Accepted head() {
    return older.isEmpty() ? current : older.get(0).accepted();
  }

  /** Inclusive: the last instant that {@link #head} owns; empty when it is the current revision. */
  public Optional<Instant> headOwnsThrough() {
    return switch (older.size()) {
      case 0 -> Optional.empty();
      case 1 -> Optional.of(current.effectiveAt());
      default -> Optional.of(older.get(1).accepted().effectiveAt());
    };
  }

  /** True for an instant that {@link #head} owns. */
  public boolean headOwns(Instant at) {
    return at.isAfter(head().ownsAfter()) && headOwnsThrough().filter(at::isAfter).isEmpty();
  }

  /** Leaves the head behind; the next revision starts where it begins to own occurrences. */
  public ScheduleState withoutHead() {
    List<ReplacedRevision> rest = older.subList(1, older.size());
    Accepted next = rest.isEmpty() ? current : rest.get(0).accepted();
    return new ScheduleState(
        id,
        current,
        next.ownsAfter(),
        carried,
        List.copyOf(rest),
        Optional.empty(),
        fault,
        completedAt,
        rest.isEmpty()
            ? orders.holding(Optional.empty()).decidedThrough(next.ownsAfter())
            : orders.holding(Optional.empty()),
        runs);
  }

  /** The same definition, said again by a later record. */
  @SuppressWarnings("ReferenceEquality") // spares a copy
  public ScheduleState saidAgain(Instant at) {
    Accepted again = current.saidAgain(at);
    return again == current ? this : with(again);
  }

  /** The same with another view of the revision in force. */
  public ScheduleState with(Accepted newCurrent) {
    return new ScheduleState(
        id,
        newCurrent,
        decidedThrough,
        carried,
        older,
        replayThrough,
        fault,
        completedAt,
        orders,
        runs);
  }

  /** Orders that name occurrences which are decided thereby are done. */
  public ScheduleState decidedThrough(Instant through) {
    CommandState rest = older.isEmpty() ? orders.decidedThrough(through) : orders;
    return new ScheduleState(
        id, current, through, carried, older, replayThrough, fault, completedAt, rest, runs);
  }

  public ScheduleState with(CommandState newOrders) {
    return new ScheduleState(
        id,
        current,
        decidedThrough,
        carried,
        older,
        replayThrough,
        fault,
        completedAt,
        newOrders,
        runs);
  }

  public ScheduleState with(Runs newRuns) {
    return newRuns.equals(runs)
        ? this
        : new ScheduleState(
            id,
            current,
            decidedThrough,
            carried,
            older,
            replayThrough,
            fault,
            completedAt,
            orders,
            newRuns);
  }

  public ScheduleState carrying(List<CarriedOccurrences> newCarried) {
    return new ScheduleState(
        id,
        current,
        decidedThrough,
        newCarried,
        older,
        replayThrough,
        fault,
        completedAt,
        orders,
        runs);
  }

  public ScheduleState replayingThrough(Optional<Instant> through) {
    return new ScheduleState(
        id, current, decidedThrough, carried, older, through, fault, completedAt, orders, runs);
  }

  public ScheduleState faulted(Optional<String> reason) {
    return new ScheduleState(
        id,
        current,
        decidedThrough,
        carried,
        older,
        replayThrough,
        reason,
        completedAt,
        orders,
        runs);
  }

  /**
   * @param at empty: something is left of it
   */
  public ScheduleState completed(Optional<Instant> at) {
    return new ScheduleState(
        id, current, decidedThrough, carried, older, replayThrough, fault, at, orders, runs);
  }

  /**
   * The seq for the next replaced revision. What is carried of a revision is cut at what is left
   * out, so each needs room for more than one.
   */
  public long nextSeq() {
    if (!older.isEmpty()) {
      return older.get(older.size() - 1).seq() + SEQ_STRIDE;
    }
    return carried.isEmpty() ? 0 : carried.get(carried.size() - 1).seq() + SEQ_STRIDE;
  }
}
