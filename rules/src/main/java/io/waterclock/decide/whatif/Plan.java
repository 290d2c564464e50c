package io.waterclock.decide.whatif;

import io.waterclock.decide.Decider;
import io.waterclock.decide.Decision;
import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.CommandState;
import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.Past;
import io.waterclock.decide.model.Pause;
import io.waterclock.decide.model.ReplacedRevision;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.decide.model.Written;
import io.waterclock.definition.Timetable;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.ScheduleSnapshot;
import io.waterclock.schemas.avro.Overlap;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Verdict;
import java.time.Instant;
import java.util.Optional;

/**
 * A schedule whose occurrences to come are known: the state that the scheduler has of it, as far as
 * its topics show that. Immutable.
 *
 * @param isNew true for a definition that the scheduler accepts now; everything due of an older one
 *     is decided
 */
public record Plan(ScheduleState state, boolean isNew) {

  /**
   * The plan of a schedule in force.
   *
   * @param revision the current one
   * @param status the latest one of the schedule
   */
  public static Plan inForce(String id, Revision revision, ScheduleStatus status) {
    Schedule schedule = revision.getSchedule();
    Accepted current =
        new Accepted(
            ScheduleSnapshot.of(schedule),
            revision.getRevision(),
            revision.getEffectiveAt(),
            revision.getOwnsAfter(),
            revision.getOwnsAfter(),
            Optional.ofNullable(revision.getResolvedAt()),
            Optional.ofNullable(revision.getBoundedBy()),
            Optional.empty(),
            Optional.empty(),
            revision.getEffectiveAt(),
            Past.NONE);
    boolean isOver = status.getState() == State.COMPLETED;
    ScheduleState state =
        ScheduleState.of(
                ScheduleId.parse(id),
                current,
                current.ownsAfter(),
                isOver ? Optional.of(current.effectiveAt()) : Optional.empty())
            .with(commanded(schedule, status, current.effectiveAt()));
    boolean isFaulted = status.getState() == State.FAULTED;
    return new Plan(isFaulted ? state.faulted(Optional.of("FAULTED")) : state, false);
  }

  private static CommandState commanded(
      Schedule schedule, ScheduleStatus status, Instant effectiveAt) {
    CommandState commanded =
        CommandState.NONE.skipping(status.getSkips().stream().sorted().distinct().toList());
    boolean isPaused =
        status.getPause() != null || (status.getState() == State.PAUSED && schedule.getEnabled());
    if (isPaused) {
      return commanded.paused(
          new Pause(
              effectiveAt, new Written(effectiveAt, ""), Optional.empty(), Optional.empty(), true));
    }
    return commanded.resumed(status.getState() == State.ACTIVE && !schedule.getEnabled());
  }

  /**
   * The plan of a new schedule. A Once in the past fires at once.
   *
   * @param schedule normalised and valid
   * @param now when the scheduler accepts it, a whole millisecond
   * @throws InvalidTriggerException if the trigger or the zone is invalid
   */
  public static Plan accepted(String id, Schedule schedule, Instant now, Side side) {
    return new Plan(
        decide(side.decider(), ScheduleId.parse(id), Optional.empty(), schedule, now)
            .state()
            .orElseThrow(),
        true);
  }

  /**
   * The plan of a schedule whose topics do not show when it was accepted: it is in force, and
   * counts from {@code now}.
   *
   * @param schedule as in {@link #accepted}
   */
  public static Plan established(String id, Schedule schedule, Instant now, Side side) {
    return new Plan(accepted(id, schedule, now, side).state.decidedThrough(now), false);
  }

  /**
   * The plan after an edit.
   *
   * @param edited as in {@link #accepted}
   */
  public Plan edited(Schedule edited, Instant now, Side side) {
    Decider decider = side.decider();
    Decision decision =
        decide(decider, state.id(), Optional.of(decidedBefore(now, decider)), edited, now);
    return decision.verdict().filter(Verdict.UNCHANGED::equals).isPresent()
        ? this
        : new Plan(decision.state().orElseThrow(), true);
  }

  private static Decision decide(
      Decider decider,
      ScheduleId id,
      Optional<ScheduleState> state,
      Schedule schedule,
      Instant now) {
    return decider.decide(id, state, new Event.Defined(schedule, "what if", now), now);
  }

  /** The state when everything is decided that was due before an instant. */
  ScheduleState decidedBefore(Instant now, Decider decider) {
    if (isNew || isSilent()) {
      return state;
    }
    decider.tables().effort().renew();
    Timetable table = decider.tables().of(state.id(), state.current());
    Instant cursor = table.cursorAt(now.minusMillis(1));
    return cursor.isAfter(state.decidedThrough()) ? state.decidedThrough(cursor) : state;
  }

  /** The same without a pause by a command. */
  public Plan resumed() {
    return isPaused() ? new Plan(state.with(state.commanded().resumed(false)), isNew) : this;
  }

  /** The same for a scheduler to which no run is reported. */
  Plan withoutRuns() {
    ScheduleState all =
        new ScheduleState(
            state.id(),
            withoutRuns(state.current()),
            state.decidedThrough(),
            state.carried(),
            state.older().stream()
                .map(older -> new ReplacedRevision(older.seq(), withoutRuns(older.accepted())))
                .toList(),
            state.replayThrough(),
            state.fault(),
            state.completedAt(),
            state.commanded(),
            state.runs());
    return new Plan(all, isNew);
  }

  private static Accepted withoutRuns(Accepted accepted) {
    Schedule schedule =
        Schedule.newBuilder(accepted.schedule())
            .setOverlap(Overlap.ALLOW)
            .setPauseAfterFailures(null)
            .setExpect(null)
            .build();
    return accepted.with(ScheduleSnapshot.of(schedule));
  }

  public String id() {
    return state.id().value();
  }

  /** Normalised, so with a time zone. */
  public Schedule schedule() {
    return state.current().schedule();
  }

  /** The anchor of a grid or a recurrence rule, or the instant of a Once. */
  public Optional<Instant> resolvedAt() {
    return state.current().resolvedAt();
  }

  /** Exclusive. */
  public Optional<Instant> endsAt() {
    return state.current().boundedBy();
  }

  /** True while a command pauses the schedule. */
  public boolean isPaused() {
    return state.commanded().pause().isPresent();
  }

  /** True if the schedule fires nothing: paused, disabled, complete or faulted. */
  public boolean isSilent() {
    return state.life() != State.ACTIVE;
  }
}
