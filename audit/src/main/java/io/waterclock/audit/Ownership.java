package io.waterclock.audit;

import io.waterclock.definition.Exclusions;
import io.waterclock.definition.Triggers;
import io.waterclock.occurrences.Trigger;
import io.waterclock.occurrences.Zones;
import io.waterclock.occurrences.core.Count;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.occurrences.search.IntervalUnit;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.RevisionEnd;
import io.waterclock.schemas.avro.Schedule;
import java.time.Instant;
import java.util.Optional;

/** The occurrences that belong to one revision. */
final class Ownership {
  private static final long COUNT_LIMIT = 100_000;

  private final Revision revision;
  private final Trigger trigger;
  private final Optional<Instant> through;

  /**
   * @param through inclusive; empty while the revision is current
   * @throws InvalidTriggerException if the trigger of the revision is invalid
   */
  private Ownership(Revision revision, Optional<Instant> through) {
    Schedule schedule = revision.getSchedule();
    this.revision = revision;
    this.trigger =
        Triggers.of(
                revision.getScheduleId(),
                schedule,
                Zones.parse(schedule.getTimezone()),
                Optional.ofNullable(revision.getResolvedAt()))
            .within(
                Optional.ofNullable(schedule.getStartAt()),
                Optional.ofNullable(revision.getBoundedBy()));
    this.through = through;
  }

  /**
   * @param revision without a {@link #missing} field
   * @param successor the next revision of the same life: it takes over the instant of a held Once
   *     that has not fired
   * @throws InvalidTriggerException as the constructor
   */
  static Ownership of(Revision revision, Optional<Revision> successor) {
    Optional<Instant> ended = Optional.ofNullable(revision.getEndedAt());
    Optional<Instant> taken =
        successor
            .filter(next -> revision.getSchedule().getTrigger() instanceof OnceTrigger)
            .filter(next -> revision.getEndedBy() != RevisionEnd.COMPLETED)
            .map(Revision::getOwnsAfter)
            .filter(at -> ended.isEmpty() || at.isBefore(ended.get()));
    return new Ownership(revision, taken.or(() -> ended));
  }

  /**
   * A field that the schema lets a revision omit, and that the scheduler never omits; empty if it
   * has all of them.
   */
  static Optional<String> missing(Revision revision) {
    Schedule schedule = revision.getSchedule();
    if (schedule.getTimezone() == null) {
      return Optional.of("timezone");
    }
    if (revision.getResolvedAt() == null && !(schedule.getTrigger() instanceof CronTrigger)) {
      return Optional.of("resolved_at");
    }
    return revision.getEndedBy() != null && revision.getEndedAt() == null
        ? Optional.of("ended_at")
        : Optional.empty();
  }

  Revision revision() {
    return revision;
  }

  /** True for an occurrence of the trigger in the period of this revision. */
  boolean owns(Instant at) {
    return isInItsTime(at) && names(at);
  }

  /** True for an instant in the period of this revision. */
  boolean isInItsTime(Instant at) {
    return at.isAfter(revision.getOwnsAfter()) && (through.isEmpty() || !at.isAfter(through.get()));
  }

  /** True for an instant that the trigger names, in the period of any revision. */
  boolean names(Instant at) {
    return trigger.lastAtOrBefore(at).filter(at::equals).isPresent();
  }

  /**
   * True for an instant that a backfill may fire: a trigger without an anchor does not occur at its
   * acceptance.
   */
  boolean mayBackfill(Instant at) {
    Object trigger = revision.getSchedule().getTrigger();
    boolean beginsAtAcceptance =
        Triggers.countsFromRecord(trigger) && !(trigger instanceof OnceTrigger);
    return names(at) && !(beginsAtAcceptance && !at.isAfter(revision.getResolvedAt()));
  }

  /** True if the occurrences depend on the rules of a time zone, which can change. */
  boolean dependsOnZoneRules() {
    Object trigger = revision.getSchedule().getTrigger();
    boolean isExact =
        trigger instanceof OnceTrigger
            || (trigger instanceof EveryTrigger every
                && IntervalUnit.valueOf(every.getUnit().name()).isExact()
                && Triggers.localAnchor(trigger).isEmpty());
    return !isExact
        && !Zones.parse(revision.getSchedule().getTimezone()).getRules().isFixedOffset();
  }

  /**
   * The part of a window in which the outcome of each owned occurrence must have been written.
   *
   * @param heldSince inclusive: the last decided instant, if the schedule was held
   */
  Window decided(Window window, Optional<Instant> heldSince) {
    Window owned = new Window(revision.getOwnsAfter(), through.orElse(Instant.MAX));
    Window decided = new Window(Instant.MIN, decidedThrough(window.through()));
    Window all = window.and(owned).and(decided);
    return heldSince.isPresent() ? all.and(new Window(Instant.MIN, heldSince.get())) : all;
  }

  /**
   * The last instant, inclusive, up to which occurrences are due and therefore decided. Jitter
   * delays by less than its bound. An occurrence that a calendar moves is due before the next
   * occurrence. A completed or deleted schedule has no undecided occurrences.
   */
  private Instant decidedThrough(Instant dueThrough) {
    if (revision.getEndedBy() == RevisionEnd.COMPLETED
        || revision.getEndedBy() == RevisionEnd.DELETED) {
      return Instant.MAX;
    }
    if (!revision.getAcceptedAt().isBefore(dueThrough)) {
      return Instant.MIN;
    }
    Schedule schedule = revision.getSchedule();
    Instant through = dueThrough.minusMillis(schedule.getJitterMs());
    boolean moves = Exclusions.moves(schedule);
    return moves
        ? trigger.lastAtOrBefore(through).flatMap(this::previous).orElse(Instant.MIN)
        : through;
  }

  /** True when the trigger names an instant in (after, through]. */
  boolean occursIn(Window window) {
    return trigger
        .nextAfter(window.after())
        .filter(at -> !at.isAfter(window.through()))
        .isPresent();
  }

  Optional<Instant> nextAfter(Instant at) {
    return trigger.nextAfter(at);
  }

  Optional<Instant> previous(Instant at) {
    return trigger.lastAtOrBefore(at.minusMillis(1));
  }

  /** In [first, last]; counted up to a limit where that takes steps. */
  Count count(Instant first, Instant last) {
    return trigger.count(first.minusMillis(1), last, COUNT_LIMIT);
  }

  /** In (after, through]. */
  Count count(Window window) {
    return trigger.count(window.after(), window.through(), COUNT_LIMIT);
  }
}
