package io.waterclock.decide;

import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.CommandState;
import io.waterclock.decide.model.Pending;
import io.waterclock.decide.model.RevisionChange;
import io.waterclock.decide.model.Runs;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.decide.model.Timetables;
import io.waterclock.schemas.TargetRecord;
import io.waterclock.schemas.avro.RevisionEnd;
import io.waterclock.schemas.avro.State;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Makes failing schedules FAULTED, completes ended ones, removes completed ones after their
 * retention, and delayed records at once.
 */
record Review(Timetables tables, Undecided undecided, Duration completedRetention) {
  Decision fault(ScheduleState state, String reason) {
    return Decision.of(state.faulted(Optional.of(reason)), Optional.empty())
        .withStatus(state.fault().isPresent() ? Optional.empty() : Optional.of(State.FAULTED));
  }

  /** Queues a FAULTED schedule again; a successful decision clears the fault. */
  Decision review(ScheduleState state, Instant readThrough, Instant now) {
    // a FAULTED schedule waits for the next try, and for no run
    Optional<Pending> pending =
        undecided
            .pending(state.faulted(Optional.empty()))
            .map(found -> state.fault().isEmpty() ? found : found.notHeld());
    if (pending.isPresent() || !isAtRest(state, now)) {
      return Decision.of(state, pending);
    }
    if (state.completedAt().isEmpty()) {
      Decision completed = complete(state, now);
      return TargetRecord.isDelayed(state.current().schedule())
          ? remove(state, now).withRevisions(completed.revisions())
          : completed;
    }
    boolean expired = !state.completedAt().get().plus(completedRetention).isAfter(readThrough);
    return expired ? remove(state, now) : Decision.of(state, Optional.empty());
  }

  private Decision remove(ScheduleState state, Instant now) {
    return Decision.gone(tables.ended(state, lastInstant(state, now))).withRemoved(state.current());
  }

  /** True when only the trigger could still cause a fire. */
  private boolean isAtRest(ScheduleState state, Instant now) {
    return state.with(CommandState.NONE).with(Runs.NONE).isPlain()
        && (!state.isHeld() || (tables.canCompile(state) && tables.isHeldInVain(state)))
        && !state.commanded().hasFires()
        && !state.runs().watches().isOpen(now)
        && state.runs().latest().filter(run -> run.endsAt().isAfter(now)).isEmpty();
  }

  private Decision complete(ScheduleState state, Instant now) {
    Accepted current = state.current();
    Instant through = lastInstant(state, now);
    ScheduleState completed = state.with(state.runs().over()).completed(Optional.of(now));
    return Decision.of(completed, Optional.empty())
        .withRevisions(List.of(new RevisionChange.Ended(current, through, RevisionEnd.COMPLETED)))
        .withStatus(Optional.of(State.COMPLETED));
  }

  /** Inclusive: the last instant that a complete schedule owns. */
  private Instant lastInstant(ScheduleState state, Instant now) {
    Accepted current = state.current();
    Instant began = current.beganBy(now);
    return tables
        .of(state.id(), current)
        .lastOwned(state.decidedThrough())
        .filter(last -> last.isAfter(began))
        .orElse(began);
  }
}
