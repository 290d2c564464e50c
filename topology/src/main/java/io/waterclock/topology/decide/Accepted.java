package io.waterclock.topology.decide;

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
 * @param resolvedAt the anchor of a grid or a recurrence rule, or the single instant; empty for
 *     cron
 * @param boundedBy exclusive: where end_at and max_occurrences end the schedule
 * @param dueFloor no occurrence is due before this instant: set for a Once that was defined with an
 *     instant in the past, which fires at its acceptance
 * @param ownedBefore the latest occurrence that earlier revisions own, decided or not: a Once in
 *     the past fires only if it lies after this
 * @param writtenAt the timestamp of the newest record that says so, but not after its acceptance: a
 *     record that was moved home from another partition counts only if it was written later
 */
public record Accepted(
    ScheduleSnapshot snapshot,
    String revision,
    Instant effectiveAt,
    Instant ownsAfter,
    Optional<Instant> resolvedAt,
    Optional<Instant> boundedBy,
    Optional<Instant> dueFloor,
    Optional<Instant> ownedBefore,
    Instant writtenAt) {

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

  /** The same revision, said again by a later record. */
  Accepted saidAgain(Instant at) {
    return at.isAfter(writtenAt)
        ? new Accepted(
            snapshot,
            revision,
            effectiveAt,
            ownsAfter,
            resolvedAt,
            boundedBy,
            dueFloor,
            ownedBefore,
            at)
        : this;
  }
}
