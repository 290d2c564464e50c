package io.waterclock.topology.decide;

import io.waterclock.schemas.avro.Cause;
import java.time.Instant;
import java.util.Optional;

/**
 * A fire to emit.
 *
 * @param by the revision whose definition the fire carries
 * @param previous the occurrence before it, if the trigger has one
 * @param next the occurrence after it, if the trigger has one
 * @param order the command that has ordered it beside the trigger
 */
public record FirePlan(
    Accepted by,
    Occurrence occurrence,
    Cause cause,
    Optional<CollapsedRange> collapsed,
    Optional<Instant> previous,
    Optional<Instant> next,
    Optional<ManualFire> order) {

  /** A fire for an occurrence of the trigger. */
  public FirePlan(
      Accepted by,
      Occurrence occurrence,
      Cause cause,
      Optional<CollapsedRange> collapsed,
      Optional<Instant> previous,
      Optional<Instant> next) {
    this(by, occurrence, cause, collapsed, previous, next, Optional.empty());
  }

  /** True when the schedule needs to know what becomes of it; never of what commands order. */
  public boolean wantsOutcome() {
    return cause != Cause.TRIGGERED && cause != Cause.BACKFILL && by.wantsOutcomes();
  }

  /**
   * The other occurrences that a fire stands for.
   *
   * @param count how many; at least that many when not exact
   * @param first the earliest
   */
  public record CollapsedRange(long count, boolean exact, Instant first) {}
}
