package io.waterclock.definition.whatif;

import io.waterclock.definition.Triggers;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A schedule whose occurrences to come are known: its definition, and the values that a scheduler
 * derives when it accepts the definition. Immutable.
 *
 * @param schedule normalised, so with a time zone
 * @param ownsAfter exclusive: the first instant that may be an occurrence
 * @param resolvedAt the anchor of a grid or a recurrence rule, or the instant of a Once
 * @param endsAt exclusive
 * @param skips the occurrences that commands leave out
 * @param isPaused true while a command pauses the schedule
 * @param isOver true if the schedule is complete or faulted
 * @param isNew true for a definition that the scheduler accepts now; everything due of an older one
 *     is decided
 * @param replaced the definition before an edit; it keeps its occurrences up to the edit
 */
public record Plan(
    String id,
    Schedule schedule,
    Instant ownsAfter,
    Optional<Instant> resolvedAt,
    Optional<Instant> endsAt,
    Set<Instant> skips,
    boolean isPaused,
    boolean isOver,
    boolean isNew,
    Optional<Plan> replaced) {
  public Plan {
    skips = Set.copyOf(skips);
  }

  /**
   * The plan of a schedule in force.
   *
   * @param revision the current one
   * @param status the latest one of the schedule
   */
  public static Plan inForce(String id, Revision revision, ScheduleStatus status) {
    return new Plan(
        id,
        revision.getSchedule(),
        revision.getOwnsAfter(),
        Optional.ofNullable(revision.getResolvedAt()),
        Optional.ofNullable(revision.getBoundedBy()),
        new HashSet<>(status.getSkips()),
        status.getPause() != null
            || (status.getState() == State.PAUSED && revision.getSchedule().getEnabled()),
        status.getState() == State.COMPLETED || status.getState() == State.FAULTED,
        false,
        Optional.empty());
  }

  /**
   * The plan of a new schedule. A Once in the past fires at once.
   *
   * @param schedule normalised and valid
   * @param now when the scheduler accepts it, a whole millisecond
   * @param zones finds a zone by its name
   * @throws InvalidTriggerException if the trigger or the zone is invalid
   */
  public static Plan accepted(
      String id, Schedule schedule, Instant now, Function<String, ZoneId> zones) {
    return begun(
        new Plan(
            id,
            schedule,
            now,
            Triggers.resolve(schedule, now),
            Optional.empty(),
            Set.of(),
            false,
            false,
            true,
            Optional.empty()),
        Optional.empty(),
        zones);
  }

  /**
   * The plan of a schedule whose topics do not show when it was accepted: it is in force, and
   * counts from {@code now}.
   *
   * @param schedule as in {@link #accepted}
   */
  public static Plan established(
      String id, Schedule schedule, Instant now, Function<String, ZoneId> zones) {
    Plan plan = accepted(id, schedule, now, zones);
    return new Plan(
        id,
        schedule,
        plan.ownsAfter,
        plan.resolvedAt,
        plan.endsAt,
        plan.skips,
        false,
        false,
        false,
        Optional.empty());
  }

  /**
   * The plan after an edit, by the rules of the scheduler: an equal trigger keeps its anchor, equal
   * bounds keep their end, and a pause by a command goes on.
   *
   * @param edited as in {@link #accepted}
   */
  public Plan edited(Schedule edited, Instant now, Function<String, ZoneId> zones) {
    if (edited.equals(schedule) && !edited.getRearm()) {
      return this;
    }
    Optional<Plan> before = isSilent() ? Optional.empty() : Optional.of(withoutReplaced());
    if (edited.getRearm() || !edited.getTrigger().equals(schedule.getTrigger())) {
      Optional<Instant> owned = lastOwned(now, zones);
      boolean isLater = Triggers.isCountedFromNow(edited) && owned.filter(now::equals).isPresent();
      Optional<Instant> resolved = Triggers.resolve(edited, isLater ? now.plusMillis(1) : now);
      return begun(
          new Plan(
              id, edited, now, resolved, Optional.empty(), skips, isPaused, false, true, before),
          owned,
          zones);
    }
    boolean isHeldOnce =
        isSilent()
            && !isOver
            && schedule.getTrigger() instanceof OnceTrigger
            && resolvedAt.filter(at -> at.isAfter(ownsAfter) && !at.isAfter(now)).isPresent();
    boolean fires =
        isHeldOnce && (isPaused || !edited.getEnabled() || edited.getCatchUp() != CatchUp.SKIP);
    Plan same =
        new Plan(
            id,
            edited,
            fires ? resolvedAt.orElseThrow().minusMillis(1) : now,
            resolvedAt,
            endsAt,
            skips,
            isPaused,
            false,
            true,
            before);
    return Triggers.haveSameBounds(schedule, edited) ? same : same.bounded(zones);
  }

  /** A Once in the past fires at once, unless the definition before it had the same instant. */
  private static Plan begun(
      Plan plan, Optional<Instant> ownedBefore, Function<String, ZoneId> zones) {
    boolean isPast =
        plan.schedule().getTrigger() instanceof OnceTrigger
            && plan.resolvedAt().filter(at -> !at.isAfter(plan.ownsAfter())).isPresent()
            && ownedBefore.filter(last -> !plan.resolvedAt().get().isAfter(last)).isEmpty();
    return (isPast ? plan.from(plan.resolvedAt().orElseThrow().minusMillis(1)) : plan)
        .bounded(zones);
  }

  /** The same without a pause by a command. */
  public Plan resumed() {
    return new Plan(
        id, schedule, ownsAfter, resolvedAt, endsAt, skips, false, isOver, isNew, replaced);
  }

  private Plan from(Instant after) {
    return new Plan(
        id, schedule, after, resolvedAt, endsAt, skips, isPaused, isOver, isNew, replaced);
  }

  private Plan withoutReplaced() {
    return new Plan(
        id,
        schedule,
        ownsAfter,
        resolvedAt,
        endsAt,
        skips,
        isPaused,
        isOver,
        isNew,
        Optional.empty());
  }

  private Plan bounded(Function<String, ZoneId> zones) {
    Optional<Instant> end =
        Triggers.end(
            schedule,
            Triggers.of(schedule, zones.apply(schedule.getTimezone()), resolvedAt),
            ownsAfter);
    return new Plan(
        id, schedule, ownsAfter, resolvedAt, end, skips, isPaused, isOver, isNew, replaced);
  }

  /** Empty also if the zone of the trigger no longer exists. */
  private Optional<Instant> lastOwned(Instant now, Function<String, ZoneId> zones) {
    try {
      return Triggers.of(schedule, zones.apply(schedule.getTimezone()), resolvedAt)
          .within(Optional.ofNullable(schedule.getStartAt()), endsAt)
          .lastAtOrBefore(now)
          .filter(at -> at.isAfter(ownsAfter));
    } catch (InvalidTriggerException e) {
      return Optional.empty();
    }
  }

  /** True if the schedule fires nothing: paused, disabled, complete or faulted. */
  public boolean isSilent() {
    return isPaused || isOver || !schedule.getEnabled();
  }
}
