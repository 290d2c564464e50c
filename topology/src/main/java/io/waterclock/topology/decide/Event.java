package io.waterclock.topology.decide;

import io.waterclock.schemas.avro.Schedule;
import java.time.Instant;

/** What can happen to a schedule. */
public sealed interface Event {

  /**
   * A valid definition arrived.
   *
   * @param schedule normalised and valid, see {@link Validation}
   * @param timestamp of the record, by the clock of its producer
   */
  record Defined(Schedule schedule, String revision, Instant timestamp) implements Event {}

  /** A tombstone arrived. */
  record Deleted(Instant timestamp) implements Event {}

  /** Its next occurrence may be due. */
  record Due() implements Event {}

  /** Deciding or emitting failed; {@code reason} is for a person. */
  record Failed(String reason) implements Event {}

  /** The walk came by: completion is recorded, what was kept long enough is removed. */
  record Reviewed() implements Event {}
}
