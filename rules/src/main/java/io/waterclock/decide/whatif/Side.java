package io.waterclock.decide.whatif;

import io.waterclock.decide.Decider;
import io.waterclock.decide.model.Timetables;
import io.waterclock.definition.Calendars;
import io.waterclock.definition.Exclusions;
import io.waterclock.occurrences.Zones;
import io.waterclock.schemas.avro.Schedule;
import java.time.Duration;
import java.time.ZoneId;
import java.util.function.Function;

/**
 * The data of one side of a comparison that all its schedules share.
 *
 * @param calendars with the versions that apply to occurrences to come
 * @param zones finds a zone by its name; throws an {@link
 *     io.waterclock.occurrences.core.InvalidTriggerException} for an unknown one
 */
public record Side(Calendars calendars, Function<String, ZoneId> zones) {
  /** A schedule that the topics show is not removed yet. */
  private static final Duration KEPT = Duration.ofDays(36_600);

  /** The time-zone data of this JVM. */
  public static Side of(Calendars calendars) {
    return new Side(calendars, Zones::parse);
  }

  /** The rules of the scheduler with these data. For one thread. */
  Decider decider() {
    Timetables tables = Timetables.inZones(zones);
    tables.follow(calendars);
    return new Decider(tables, KEPT);
  }

  ZoneId zone(Schedule schedule) {
    return zones.apply(schedule.getTimezone());
  }

  /** True if both sides find the same occurrences for equal plans of a schedule. */
  boolean isAlikeFor(Schedule schedule, Side other) {
    return zone(schedule).getRules().equals(other.zone(schedule).getRules())
        && (!Exclusions.namesCalendars(schedule) || calendars.equals(other.calendars));
  }
}
