package io.waterclock.audit;

import io.waterclock.definition.Triggers;
import io.waterclock.occurrences.Trigger;
import io.waterclock.occurrences.Zones;
import io.waterclock.occurrences.core.Count;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.occurrences.search.IntervalUnit;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.OnExcluded;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.RRuleTrigger;
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
   * @throws InvalidTriggerException if the trigger cannot be made of what the revision says
   */
  private Ownership(Revision revision, Optional<Instant> through) {
    Schedule schedule = revision.getSchedule();
    this.revision = revision;
    this.trigger =
        Triggers.of(
                schedule,
                Zones.parse(schedule.getTimezone()),
                Optional.ofNullable(revision.getResolvedAt()))
            .within(
                Optional.ofNullable(schedule.getStartAt()),
                Optional.ofNullable(revision.getBoundedBy()));
    this.through = through;
  }

  /**
   * @param successor the next revision of the same life: takes over the single instant that one
   *     that was held has not fired
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

  Revision revision() {
    return revision;
  }

  /** True for an instant that is an occurrence of this revision, and its own. */
  boolean owns(Instant at) {
    return isInItsTime(at) && names(at);
  }

  /** True for an instant that would be its own if it were an occurrence. */
  boolean isInItsTime(Instant at) {
    return at.isAfter(revision.getOwnsAfter()) && (through.isEmpty() || !at.isAfter(through.get()));
  }

  /** True for an instant that the trigger names, whoever owns it. */
  boolean names(Instant at) {
    return trigger.lastAtOrBefore(at).filter(at::equals).isPresent();
  }

  /** True for an instant that a backfill may fire: no grid occurs at its own beginning. */
  boolean mayBackfill(Instant at) {
    Object trigger = revision.getSchedule().getTrigger();
    boolean beginsAtAcceptance =
        (trigger instanceof EveryTrigger every && every.getAnchor() == null)
            || (trigger instanceof RRuleTrigger rrule && rrule.getAnchor() == null);
    return names(at) && !(beginsAtAcceptance && !at.isAfter(revision.getResolvedAt()));
  }

  /** True when the rules of a time zone, which change, tell what the occurrences are. */
  boolean dependsOnZoneRules() {
    Object trigger = revision.getSchedule().getTrigger();
    boolean isExact =
        trigger instanceof OnceTrigger
            || (trigger instanceof EveryTrigger every
                && IntervalUnit.valueOf(every.getUnit().name()).isExact());
    return !isExact
        && !Zones.parse(revision.getSchedule().getTimezone()).getRules().isFixedOffset();
  }

  /**
   * The part of a window in which the outcome of each owned occurrence must have been written.
   *
   * @param heldSince inclusive: the last instant of which that is so, where the schedule was held
   */
  Window decided(Window window, Optional<Instant> heldSince) {
    Window owned = new Window(revision.getOwnsAfter(), through.orElse(Instant.MAX));
    Window decided = new Window(Instant.MIN, decidedThrough(window.through()));
    Window all = window.and(owned).and(decided);
    return heldSince.isPresent() ? all.and(new Window(Instant.MIN, heldSince.get())) : all;
  }

  /**
   * Up to where occurrences are due, and so decided: jitter delays by less than its bound, and what
   * a calendar moves is due before the occurrence after it. Of what is complete or deleted nothing
   * is left.
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
    boolean moves = schedule.getOnExcluded() != OnExcluded.SKIP && !schedule.getExcept().isEmpty();
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
