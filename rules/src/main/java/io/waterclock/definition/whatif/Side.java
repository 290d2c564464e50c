package io.waterclock.definition.whatif;

import io.waterclock.definition.Calendars;
import io.waterclock.definition.Exclusions;
import io.waterclock.definition.Timetable;
import io.waterclock.definition.Triggers;
import io.waterclock.occurrences.Zones;
import io.waterclock.occurrences.core.Effort;
import io.waterclock.schemas.avro.Schedule;
import java.time.ZoneId;
import java.util.Optional;
import java.util.function.Function;

/**
 * The data of one side of a comparison that all its schedules share.
 *
 * @param calendars with the versions that apply to occurrences to come
 * @param zones finds a zone by its name; throws an {@link
 *     io.waterclock.occurrences.core.InvalidTriggerException} for an unknown one
 */
public record Side(Calendars calendars, Function<String, ZoneId> zones) {
  /** The time-zone data of this JVM. */
  public static Side of(Calendars calendars) {
    return new Side(calendars, Zones::parse);
  }

  ZoneId zone(Plan plan) {
    return zones.apply(plan.schedule().getTimezone());
  }

  Timetable timetable(Plan plan, Effort effort) {
    Schedule schedule = plan.schedule();
    return new Timetable(
        plan.id(),
        Triggers.of(schedule, zone(plan), plan.resolvedAt())
            .metered(effort)
            .within(Optional.ofNullable(schedule.getStartAt()), plan.endsAt()),
        Triggers.jitter(schedule),
        Optional.empty(),
        Optional.empty(),
        plan.ownsAfter(),
        Exclusions.of(schedule, zone(plan), calendars, effort),
        effort);
  }

  /** True if both sides find the same occurrences for equal plans. */
  boolean isAlikeFor(Plan plan, Side other) {
    return zone(plan).getRules().equals(other.zone(plan).getRules())
        && (plan.schedule().getExcept().isEmpty() || calendars.equals(other.calendars));
  }
}
