package io.waterclock.testkit.model;

import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.OnExcluded;
import io.waterclock.schemas.avro.Schedule;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What calendars exclude, day by day, and business days; every change kept with the instant after
 * which it counts.
 */
final class CalendarModel {
  private static final int FARTHEST_DAYS = 366;

  private record Version(long afterMs, Calendar calendar) {}

  private final Map<String, List<Version>> byName = new HashMap<>();
  private int changes;

  /** How often anything changed. */
  int changes() {
    return changes;
  }

  /**
   * @param afterMs exclusive; the first version of a calendar counts for all before it, too
   */
  void put(String name, Calendar calendar, long afterMs) {
    byName.computeIfAbsent(name, n -> new ArrayList<>()).add(new Version(afterMs, calendar));
    changes++;
  }

  /** A version whose record is from later than it was read counts from its reading. */
  void readBy(long nowMs) {
    byName
        .values()
        .forEach(
            versions ->
                versions.replaceAll(
                    version ->
                        new Version(Math.min(version.afterMs(), nowMs), version.calendar())));
    changes++;
  }

  /** True when any calendar of the schedule excludes the date that its wall clock shows. */
  boolean excludes(Schedule schedule, long at) {
    return isExcluded(schedule, local(schedule, at).toLocalDate(), at);
  }

  /** Where an excluded occurrence would like to be. */
  Optional<Long> movedTo(Schedule schedule, long at) {
    if (schedule.getOnExcluded() != OnExcluded.NEXT_WORKING_DAY) {
      return Optional.empty();
    }
    LocalDateTime local = local(schedule, at);
    for (int days = 1; days <= FARTHEST_DAYS; days++) {
      LocalDateTime moved = local.plusDays(days);
      if (!isExcluded(schedule, moved.toLocalDate(), at)) {
        ZoneId zone = ZoneId.of(schedule.getTimezone());
        return Optional.of(CronModel.WallClock.occurrence(moved, zone));
      }
    }
    return Optional.empty();
  }

  private boolean isExcluded(Schedule schedule, LocalDate date, long at) {
    Integer businessDay = schedule.getBusinessDay();
    if (businessDay == null) {
      return !isOpen(schedule, date, at);
    }
    LocalDate first = date.withDayOfMonth(1);
    List<LocalDate> open =
        first.datesUntil(first.plusMonths(1)).filter(day -> isOpen(schedule, day, at)).toList();
    int index = businessDay > 0 ? businessDay - 1 : open.size() + businessDay;
    return index < 0 || index >= open.size() || !open.get(index).equals(date);
  }

  private boolean isOpen(Schedule schedule, LocalDate date, long at) {
    return !isInAny(schedule.getExcept(), date, at)
        && (schedule.getOnly().isEmpty() || isInAny(schedule.getOnly(), date, at));
  }

  private boolean isInAny(List<String> names, LocalDate date, long at) {
    return names.stream()
        .map(name -> inForce(byName.getOrDefault(name, List.of()), at))
        .anyMatch(calendar -> isIn(calendar, date));
  }

  private static Calendar inForce(List<Version> versions, long at) {
    Calendar found = versions.get(0).calendar();
    for (Version version : versions.subList(1, versions.size())) {
      if (version.afterMs() < at) {
        found = version.calendar();
      }
    }
    return found;
  }

  private static boolean isIn(Calendar calendar, LocalDate date) {
    return calendar.getWeekdays().stream()
            .anyMatch(day -> date.getDayOfWeek().name().startsWith(day.name()))
        || calendar.getDates().stream()
            .anyMatch(
                range ->
                    range
                        .getFirst()
                        .datesUntil(range.getLast().plusDays(1))
                        .anyMatch(date::equals));
  }

  private static LocalDateTime local(Schedule schedule, long at) {
    return Instant.ofEpochMilli(at).atZone(ZoneId.of(schedule.getTimezone())).toLocalDateTime();
  }
}
