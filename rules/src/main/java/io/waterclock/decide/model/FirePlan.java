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
 * @param order the fire of a trigger command; empty for others
 * @param backfill the id of the backfill command that ordered it; empty for others
 */
public record FirePlan(
    Accepted by,
    Occurrence occurrence,
    Cause cause,
    Optional<CollapsedRange> collapsed,
    Optional<Instant> previous,
    Optional<Instant> next,
    Optional<ManualFire> order,
    Optional<String> backfill) {
  /** For so long at most a run counts whose fire waits for its limit. */
  public static final Duration LONGEST_WAIT = Duration.ofDays(31);

  /** A fire for an occurrence of the trigger. */
  public FirePlan(
      Accepted by,
      Occurrence occurrence,
      Cause cause,
      Optional<CollapsedRange> collapsed,
      Optional<Instant> previous,
      Optional<Instant> next) {
    this(by, occurrence, cause, collapsed, previous, next, Optional.empty(), Optional.empty());
  }

  /** The fire of a trigger command. */
  public static FirePlan triggered(
      Accepted by, ManualFire order, Optional<Instant> previous, Optional<Instant> next) {
    return new FirePlan(
        by,
        new Occurrence(order.at(), order.at()),
        Cause.TRIGGERED,
        Optional.empty(),
        previous,
        next,
        Optional.of(order),
        Optional.empty());
  }

  /** A fire that a backfill command orders. */
  public static FirePlan backfilled(
      Accepted by,
      Occurrence occurrence,
      String backfill,
      Optional<Instant> previous,
      Optional<Instant> next) {
    return new FirePlan(
        by,
        occurrence,
        Cause.BACKFILL,
        Optional.empty(),
        previous,
        next,
        Optional.empty(),
        Optional.of(backfill));
  }

  /**
   * True when the schedule needs the outcome, or when its definition requests all reports. The
   * schedule does not need outcomes of triggered fires. Those of a backfill show its progress.
   */
  public boolean wantsOutcome() {
    if (by.schedule().getLimit() != null) {
      return true;
    }
    return switch (cause) {
      case BACKFILL -> true;
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
    return by.schedule().getLimit() == null ? Duration.ZERO : LONGEST_WAIT;
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
