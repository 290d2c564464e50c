package io.waterclock.topology.scheduler.apply;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.decide.Decision;
import io.waterclock.topology.scheduler.emit.Outgoing;
import java.time.Instant;
import java.util.List;

/**
 * A decision with its records encoded: what is left to do fails for no single schedule alone.
 *
 * @param at when it was decided
 */
public record EncodedDecision(
    ScheduleId id, Decision decision, Instant at, List<Outgoing> outgoing) {

  /** The same of a definition that was written no earlier than this. */
  public EncodedDecision saidAt(Instant written) {
    return new EncodedDecision(id, decision.saidAt(written), at, outgoing);
  }
}
