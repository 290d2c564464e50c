package io.waterclock.topology.scheduler.apply;

import io.waterclock.schemas.SafeLogger;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.decide.Decider;
import io.waterclock.topology.scheduler.decide.Decision;
import io.waterclock.topology.scheduler.emit.OutgoingRecords;
import io.waterclock.topology.scheduler.input.BoundedText;
import io.waterclock.topology.scheduler.model.Event;
import io.waterclock.topology.scheduler.model.Occurrence;
import io.waterclock.topology.scheduler.model.ScheduleState;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;

/**
 * Decides and encodes, and writes nothing. Here, and only here, a failure is one schedule's own;
 * what fails afterwards, in a producer or in a store, is the task's and must end its transaction.
 */
public final class DecisionEncoder {
  private static final Logger LOG = SafeLogger.of(DecisionEncoder.class);

  private final Decider decider;
  private final OutgoingRecords records;

  public DecisionEncoder(Decider decider, OutgoingRecords records) {
    this.decider = decider;
    this.records = records;
  }

  Decider decider() {
    return decider;
  }

  /**
   * @throws RuntimeException if the rules or the encoding fail for this schedule
   */
  public EncodedDecision of(
      ScheduleId id, Optional<ScheduleState> state, Event event, Instant now) {
    Decision decision = decider.decide(id, state, event, now);
    return new EncodedDecision(id, decision, now, records.of(id, decision, now));
  }

  /** What a schedule waits for; empty when that cannot be told. */
  public Optional<Occurrence> next(ScheduleState state) {
    try {
      return decider.pending(state);
    } catch (RuntimeException e) {
      LOG.debug("What {} waits for cannot be told", state.id(), e);
      return Optional.empty();
    }
  }

  /** As above; a schedule for which it fails is parked instead. */
  public EncodedDecision orPark(ScheduleState state, Event event, Instant now) {
    try {
      return of(state.id(), Optional.of(state), event, now);
    } catch (RuntimeException e) {
      return parked(state, e, now);
    }
  }

  /** The parking of a schedule. Says so once, in one log entry. */
  public EncodedDecision parked(ScheduleState state, RuntimeException failure, Instant now) {
    if (state.fault().isEmpty()) {
      LOG.error("Parked {} as FAULTED, the walk will try it again", state.id(), failure);
    }
    Event failed = new Event.Failed(BoundedText.text("deciding it failed: " + failure));
    return of(state.id(), Optional.of(state), failed, now);
  }
}
