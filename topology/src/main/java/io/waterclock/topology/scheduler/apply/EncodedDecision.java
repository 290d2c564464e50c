package io.waterclock.topology.scheduler.apply;

import io.waterclock.decide.Decision;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.emit.Outgoing;
import java.time.Instant;
import java.util.List;

/** A decision with its encoded records. Later failures affect the task, not one schedule. */
public record EncodedDecision(
    ScheduleId id, Decision decision, Instant at, List<Outgoing> outgoing) {

  /** The same decision for a definition that was written no earlier than {@code written}. */
  public EncodedDecision saidAt(Instant written) {
    return new EncodedDecision(id, decision.saidAt(written), at, outgoing);
  }
}
