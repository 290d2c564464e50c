package io.waterclock.decide.model;

import io.waterclock.definition.ExpectedRuns;
import io.waterclock.schemas.ScheduleSnapshot;
import io.waterclock.schemas.avro.Overlap;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.text.Instants;
import java.time.Instant;
import java.util.Optional;

/**
 * An accepted definition: the normalised schedule (its time zone is set), and the values that were
 * resolved once, at its acceptance. Immutable by convention: no code changes the Avro record.
 *
 * @param snapshot the normalised definition
 * @param revision topic-partition@offset of the accepted record; compared for equality only
 * @param effectiveAt when the definition took effect; the previous revision owns the occurrences up
 *     to and including this instant
 * @param ownsAfter exclusive: the revision owns occurrences after this instant. Equal to
 *     effectiveAt, except for a Once whose instant lies before it
 * @param namesAfter exclusive: the instant from which the schedule has this trigger within these
 *     bounds; earlier occurrences of the trigger were never due
 * @param resolvedAt the anchor of a grid or a recurrence rule, or the single instant; empty for
 *     cron
 * @param boundedBy exclusive: the end of the schedule according to end_at and max_occurrences
 * @param dueFloor no occurrence is due before this instant: set for a Once that was defined with an
 *     instant in the past, which fires at its acceptance
 * @param ownedBefore the latest occurrence that earlier revisions own, decided or not: a Once in
 *     the past fires only if it lies after this
 * @param writtenAt the timestamp of the newest record with this definition, at most its acceptance:
 *     a stray counts only if its timestamp is later
 * @param past what the schedule remembers, under any revision
 */
public record Accepted(
    ScheduleSnapshot snapshot,
    String revision,
    Instant effectiveAt,
    Instant ownsAfter,
    Instant namesAfter,
    Optional<Instant> resolvedAt,
    Optional<Instant> boundedBy,
    Optional<Instant> dueFloor,
    Optional<Instant> ownedBefore,
    Instant writtenAt,
    Past past) {

  public Schedule schedule() {
    return snapshot.schedule();
  }

  public boolean enabled() {
    return schedule().getEnabled();
  }

  /** True when the schedule needs the outcomes of its fires. */
  boolean wantsOutcomes() {
    return schedule().getOverlap() != Overlap.ALLOW
        || schedule().getPauseAfterFailures() != null
        || ExpectedRuns.isExpecting(schedule());
  }

  /**
   * A younger revision owns no occurrence up to this instant: the instant at which this revision
   * took effect or, after an import, up to which the other scheduler decided. At most now, even if
   * the import names a later instant.
   */
  public Instant beganBy(Instant now) {
    Instant owns = Instants.earlier(ownsAfter, now);
    return Instants.later(owns, effectiveAt);
  }

  /**
   * The timestamp to compare with a Resume: that of its record, but at most effectiveAt if an equal
   * definition was written later.
   */
  public Instant declaredAt() {
    return Instants.earlier(writtenAt, effectiveAt);
  }

  /** The same revision after a later record with an equal definition. */
  Accepted saidAgain(Instant at) {
    return at.isAfter(writtenAt) ? with(snapshot, ownsAfter, ownedBefore, at, past) : this;
  }

  /** The latest Resume of the schedule, under any revision. */
  public Optional<Resumed> resumed() {
    return past.resumed();
  }

  /** The same revision after a Resume; an earlier Resume changes nothing. */
  public Accepted resumed(Resumed by) {
    return with(past.resumed(by));
  }

  /** The same revision with another past. */
  public Accepted with(Past other) {
    return other.equals(past) ? this : with(snapshot, ownsAfter, ownedBefore, writtenAt, other);
  }

  /** The same revision with fewer occurrences. */
  public Accepted owning(Instant after, Optional<Instant> ownedBeforeIt) {
    return with(snapshot, after, ownedBeforeIt, writtenAt, past);
  }

  /** The same revision with another definition, whose occurrences are the same. */
  public Accepted with(ScheduleSnapshot other) {
    return with(other, ownsAfter, ownedBefore, writtenAt, past);
  }

  private Accepted with(
      ScheduleSnapshot newSnapshot,
      Instant newOwnsAfter,
      Optional<Instant> newOwnedBefore,
      Instant newWrittenAt,
      Past newPast) {
    return new Accepted(
        newSnapshot,
        revision,
        effectiveAt,
        newOwnsAfter,
        namesAfter,
        resolvedAt,
        boundedBy,
        dueFloor,
        newOwnedBefore,
        newWrittenAt,
        newPast);
  }
}
