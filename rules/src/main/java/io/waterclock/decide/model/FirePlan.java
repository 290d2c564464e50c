package io.waterclock.decide.model;

import io.waterclock.definition.ExpectedRuns;
import io.waterclock.definition.Occurrence;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Overlap;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A fire to emit.
 *
 * @param by the revision whose definition the fire carries
 * @param previous the occurrence before it, if the trigger has one
 * @param next the occurrence after it, if the trigger has one
 * @param order the command's fire; empty for a fire of the trigger
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

  /**
   * True when the schedule needs the outcome, or when its definition requests all reports. The
   * schedule does not need outcomes of commands' fires. A backfill has the keys of the fires that
   * it repeats, so its outcome would count as theirs.
   */
  public boolean wantsOutcome() {
    if (by.schedule().getLimit() != null) {
      return true;
    }
    return switch (cause) {
      case BACKFILL -> false;
      case TRIGGERED -> by.schedule().getReportAll();
      case SCHEDULED, CATCH_UP -> by.schedule().getReportAll() || by.wantsOutcomes();
    };
  }

  /** Whether a command has ordered it, so that it stands for no occurrence of the trigger. */
  public boolean isOrdered() {
    return cause == Cause.TRIGGERED || cause == Cause.BACKFILL;
  }

  /** For how long the fire may wait for the limit of its schedule, and count as running. */
  Duration longestWait() {
    return by.schedule().getLimit() == null ? Duration.ZERO : Run.LONGEST_WAIT;
  }

  /** Whether the schedule needs to know when the fire has waited for its limit. */
  public boolean isFollowed() {
    return !isOrdered()
        && (by.schedule().getOverlap() != Overlap.ALLOW || ExpectedRuns.isExpecting(by.schedule()));
  }

  /**
   * The other occurrences that a fire stands for.
   *
   * @param count how many; a lower bound when not exact
   * @param first the earliest
   */
  public record CollapsedRange(long count, boolean exact, Instant first) {}
}
