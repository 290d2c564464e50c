package io.waterclock.topology.stream;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.decide.Decision;
import java.time.Instant;
import java.util.List;

/**
 * A decision with its records encoded: what is left to do fails for no single schedule alone.
 *
 * @param at when it was decided
 */
record Prepared(ScheduleId id, Decision decision, Instant at, List<Outgoing> outgoing) {

  /** The same of a definition that was written no earlier than this. */
  Prepared saidAt(Instant written) {
    return new Prepared(id, decision.saidAt(written), at, outgoing);
  }
}
