package io.waterclock.decide.model;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.State;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The state of one schedule, on which decisions depend.
 *
 * @param current the newest accepted revision
 * @param decidedThrough inclusive: every occurrence of the oldest revision below up to this instant
 *     is decided
 * @param carried missed occurrences of replaced revisions, oldest first
 * @param older replaced revisions that still own undecided occurrences, oldest first; all younger
 *     than those in carried
 * @param replayThrough inclusive: the end of the current replay
 * @param fault why the schedule is FAULTED
 * @param completedAt when its completion was recorded
 * @param commanded the effects of commands
 * @param runs if it requests outcomes
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
    CommandState commanded,
    Runs runs) {
  /**
   * Larger than the number of stretches into which skip lists and skip commands can cut a revision.
   */
  public static final long SEQ_STRIDE = 10_000;

  /** A state without earlier revisions. */
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

  /** True when {@code decidedThrough} is all of its progress. */
  public boolean isPlain() {
    return carried.isEmpty()
        && older.isEmpty()
        && replayThrough.isEmpty()
        && fault.isEmpty()
        && commanded.isEmpty()
        && runs.isEmpty();
  }

  /**
   * True while a command or the definition pauses the schedule. Then all occurrences of replaced
   * revisions are decided.
   */
  public boolean isHeld() {
    return commanded.pause().isPresent() || !(current.enabled() || commanded.resumed());
  }

  /** Since when a command or the definition pauses the held schedule, whichever is earlier. */
  public Instant heldSince() {
    Instant disabled = current.effectiveAt();
    Optional<Instant> paused = commanded.pause().map(Pause::since);
    return current.enabled() || commanded.resumed()
        ? paused.orElse(disabled)
        : paused.filter(disabled::isAfter).orElse(disabled);
  }

  /** The state to announce in the status. */
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
    return revision.schedule().getSkip().contains(at) || commanded.skips().contains(at);
  }

  /** True for an occurrence of the current replay. */
  public boolean isReplayed(Instant at) {
    return replayThrough.filter(through -> !at.isAfter(through)).isPresent();
  }

  /** The fire of a Resume for an occurrence. */
  public Optional<ResumeFire> ordered(Instant at) {
    return commanded.held().filter(fire -> fire.at().equals(at));
  }

  /** When the end of a pause has let an occurrence fire, as far as that is known. */
  public Optional<Instant> allowedAt(Instant at) {
    return head().schedule().getTrigger() instanceof OnceTrigger
        ? current.past().heldUntil()
        : ordered(at).map(ResumeFire::orderedAt);
  }

  /** Inclusive: every occurrence of any revision up to this instant is decided. */
  public Instant allDecidedThrough() {
    return carried.isEmpty() ? decidedThrough : carried.get(0).first().minusMillis(1);
  }

  /** True when the oldest backfill may fire, or end: the others wait for it. */
  public boolean hasBackfillToFire() {
    return !commanded.backfills().isEmpty()
        && commanded.backfills().get(0).isReady(allDecidedThrough());
  }

  /** Until when the oldest backfill has as many runs under way as it may. */
  public Optional<Instant> backfillHeldUntil() {
    return commanded.backfills().stream().findFirst().flatMap(Backfill::heldUntil);
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

  /**
   * Removes the head; the next revision starts where its ownership begins. The fire of a Resume
   * stays if a later revision owns its occurrence.
   */
  public ScheduleState withoutHead() {
    List<ReplacedRevision> rest = older.subList(1, older.size());
    Accepted next = rest.isEmpty() ? current : rest.get(0).accepted();
    CommandState open =
        commanded.holding(commanded.held().filter(fire -> fire.at().isAfter(next.ownsAfter())));
    return new ScheduleState(
        id,
        current,
        next.ownsAfter(),
        carried,
        rest,
        Optional.empty(),
        fault,
        completedAt,
        rest.isEmpty() ? open.decidedThrough(next.ownsAfter()) : open,
        runs);
  }

  /** The same state after a later record with an equal definition. */
  @SuppressWarnings("ReferenceEquality") // avoids a copy
  public ScheduleState saidAgain(Instant at) {
    Accepted again = current.saidAgain(at);
    return again == current ? this : with(again);
  }

  /** The same with a changed revision in force. */
  public ScheduleState with(Accepted newCurrent) {
    return with(newCurrent, carried, fault, commanded, runs);
  }

  /** Also removes the effects of commands on occurrences that are now decided. */
  public ScheduleState decidedThrough(Instant through) {
    CommandState rest = older.isEmpty() ? commanded.decidedThrough(through) : commanded;
    return new ScheduleState(
        id, current, through, carried, older, replayThrough, fault, completedAt, rest, runs);
  }

  public ScheduleState with(CommandState newCommanded) {
    return with(current, carried, fault, newCommanded, runs);
  }

  public ScheduleState with(Runs newRuns) {
    return newRuns.equals(runs) ? this : with(current, carried, fault, commanded, newRuns);
  }

  public ScheduleState carrying(List<CarriedOccurrences> newCarried) {
    return with(current, newCarried, fault, commanded, runs);
  }

  public ScheduleState replayingThrough(Optional<Instant> through) {
    return new ScheduleState(
        id, current, decidedThrough, carried, older, through, fault, completedAt, commanded, runs);
  }

  public ScheduleState faulted(Optional<String> reason) {
    return with(current, carried, reason, commanded, runs);
  }

  /**
   * @param at empty: it is not complete
   */
  public ScheduleState completed(Optional<Instant> at) {
    return new ScheduleState(
        id, current, decidedThrough, carried, older, replayThrough, fault, at, commanded, runs);
  }

  private ScheduleState with(
      Accepted newCurrent,
      List<CarriedOccurrences> newCarried,
      Optional<String> newFault,
      CommandState newCommanded,
      Runs newRuns) {
    return new ScheduleState(
        id,
        newCurrent,
        decidedThrough,
        newCarried,
        older,
        replayThrough,
        newFault,
        completedAt,
        newCommanded,
        newRuns);
  }

  /**
   * The seq for the next replaced revision. Carried occurrences are split at skipped ones, so each
   * revision needs several numbers.
   */
  public long nextSeq() {
    if (!older.isEmpty()) {
      return older.get(older.size() - 1).seq() + SEQ_STRIDE;
    }
    return carried.isEmpty() ? 0 : carried.get(carried.size() - 1).seq() + SEQ_STRIDE;
  }
}
