package io.waterclock.topology.scheduler.model;

import io.waterclock.schemas.ScheduleSnapshot;
import io.waterclock.schemas.avro.Overlap;
import io.waterclock.schemas.avro.Schedule;
import java.time.Instant;
import java.util.Optional;

/**
 * An accepted definition: the schedule as written (normalised: its time zone is set), and what was
 * resolved once, at its acceptance. Immutable by convention: nobody changes the Avro record.
 *
 * @param snapshot the normalised definition
 * @param revision topic-partition@offset of the accepted record; compared for equality only
 * @param effectiveAt when the definition took effect; the previous revision owns the occurrences up
 *     to and including this instant
 * @param ownsAfter exclusive: the revision owns occurrences after this instant. Equal to
 *     effectiveAt, but for a Once whose instant lies before it
 * @param namesAfter exclusive: since when the schedule has had this trigger within these bounds;
 *     what the trigger names before that never was due
 * @param resolvedAt the anchor of a grid or a recurrence rule, or the single instant; empty for
 *     cron
 * @param boundedBy exclusive: where end_at and max_occurrences end the schedule
 * @param dueFloor no occurrence is due before this instant: set for a Once that was defined with an
 *     instant in the past, which fires at its acceptance
 * @param ownedBefore the latest occurrence that earlier revisions own, decided or not: a Once in
 *     the past fires only if it lies after this
 * @param writtenAt the timestamp of the newest record that says so, but not after its acceptance: a
 *     record that was moved home from another partition counts only if it was written later
 * @param resumed the latest Resume of the schedule, whichever revision was in force when it came
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
    Optional<Resumed> resumed) {

  public Schedule schedule() {
    return snapshot.schedule();
  }

  public boolean enabled() {
    return schedule().getEnabled();
  }

  /** True when the outcomes of its fires are needed. */
  boolean wantsOutcomes() {
    return schedule().getOverlap() != Overlap.ALLOW || schedule().getPauseAfterFailures() != null;
  }

  /**
   * Nothing up to this instant is left to a younger revision: where it took effect, or, of one that
   * was imported, what was decided where it comes from. Not after now, whatever the import says.
   */
  public Instant beganBy(Instant now) {
    Instant owns = ownsAfter.isBefore(now) ? ownsAfter : now;
    return owns.isAfter(effectiveAt) ? owns : effectiveAt;
  }

  /**
   * When its record was written, which a Resume is compared with; where the same was said again
   * since, not after it took effect.
   */
  public Instant declaredAt() {
    return writtenAt.isBefore(effectiveAt) ? writtenAt : effectiveAt;
  }

  /** The same revision, said again by a later record. */
  Accepted saidAgain(Instant at) {
    return at.isAfter(writtenAt) ? with(ownsAfter, ownedBefore, at, resumed) : this;
  }

  /** The same revision, of a schedule that was resumed; an earlier Resume changes nothing. */
  public Accepted resumed(Resumed by) {
    return resumed.filter(known -> !known.at().isBefore(by.at())).isPresent()
        ? this
        : with(ownsAfter, ownedBefore, writtenAt, Optional.of(by));
  }

  /** The same revision as the owner of fewer occurrences. */
  public Accepted owning(Instant after, Optional<Instant> ownedBeforeIt) {
    return with(after, ownedBeforeIt, writtenAt, resumed);
  }

  private Accepted with(
      Instant newOwnsAfter,
      Optional<Instant> newOwnedBefore,
      Instant newWrittenAt,
      Optional<Resumed> newResumed) {
    return new Accepted(
        snapshot,
        revision,
        effectiveAt,
        newOwnsAfter,
        namesAfter,
        resolvedAt,
        boundedBy,
        dueFloor,
        newOwnedBefore,
        newWrittenAt,
        newResumed);
  }
}
