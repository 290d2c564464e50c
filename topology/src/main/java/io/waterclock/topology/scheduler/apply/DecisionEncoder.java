package io.waterclock.topology.scheduler.apply;

import io.waterclock.decide.Decider;
import io.waterclock.decide.Decision;
import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.Pending;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.decide.model.Timetables;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.topology.scheduler.emit.Outgoing;
import io.waterclock.topology.scheduler.emit.OutgoingRecords;
import io.waterclock.topology.scheduler.input.AuthorNote;
import io.waterclock.topology.scheduler.input.BoundedText;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;

/**
 * Decides and encodes, and writes nothing. A failure here affects one schedule only. A later
 * failure, in a producer or a store, affects the task and must end its transaction.
 */
public record DecisionEncoder(Decider decider, OutgoingRecords records) {
  private static final Logger LOG = SafeLogger.of(DecisionEncoder.class);

  /** The occurrences of schedules, with calendars; their effort is the task's. */
  public Timetables tables() {
    return decider.tables();
  }

  /**
   * @throws RuntimeException if the rules or the encoding fail for this schedule
   */
  public EncodedDecision of(
      ScheduleId id, Optional<ScheduleState> state, Event event, Instant now) {
    return of(id, state, event, AuthorNote.NOTHING, now);
  }

  /** Decides and encodes an event; revisions that begin or end show what its author said. */
  public EncodedDecision of(
      ScheduleId id, Optional<ScheduleState> state, Event event, AuthorNote said, Instant now) {
    Decision decision = decider.decide(id, state, event, now);
    List<Outgoing> encoded = records.of(id, decision, said, now);
    state
        .flatMap(before -> Withdrawals.of(before, decision))
        .ifPresent(
            withdrawal ->
                encoded.add(records.withdrawal(id, withdrawal.limit(), withdrawal.note(), now)));
    return new EncodedDecision(id, decision, now, encoded);
  }

  /** What a schedule waits for; empty when it waits for nothing, or finding it fails. */
  public Optional<Pending> pending(ScheduleState state) {
    try {
      return decider.pending(state);
    } catch (RuntimeException e) {
      LOG.debug("The next occurrence of {} cannot be computed", state.id(), e);
      return Optional.empty();
    }
  }

  /** Decides and encodes an event; if that fails, the decision makes the schedule FAULTED. */
  public EncodedDecision orFault(ScheduleState state, Event event, Instant now) {
    try {
      return of(state.id(), Optional.of(state), event, now);
    } catch (RuntimeException e) {
      return faulted(state, e, now);
    }
  }

  /** The decision that makes a schedule FAULTED. Logs it once. */
  public EncodedDecision faulted(ScheduleState state, RuntimeException failure, Instant now) {
    if (state.fault().isEmpty()) {
      LOG.error("{} is FAULTED; the watchdog tries it again", state.id(), failure);
    }
    Event failed = new Event.Failed(BoundedText.text("deciding it failed: " + failure));
    return of(state.id(), Optional.of(state), failed, now);
  }
}
