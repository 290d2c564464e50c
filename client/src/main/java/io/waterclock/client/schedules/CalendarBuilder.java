package io.waterclock.client.schedules;

import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.DateRange;
import io.waterclock.schemas.avro.Weekday;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Builds a calendar: dates on which schedules do not occur, or alone occur, that name it under
 * {@code except} or {@code only}.
 *
 * <pre>{@code
 * CalendarBuilder.of(LocalDate.of(2026, 12, 25), LocalDate.of(2027, 1, 1))
 *     .weekdays(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY)
 * }</pre>
 *
 * <p>Not thread-safe.
 */
public final class CalendarBuilder {
  private static final int MAX_DATES = 10_000;

  private final List<DateRange> dates = new ArrayList<>();
  private final Set<DayOfWeek> weekdays = EnumSet.noneOf(DayOfWeek.class);
  private @Nullable String description;

  private CalendarBuilder() {}

  /** A calendar of single dates, or an empty one. */
  public static CalendarBuilder of(LocalDate... dates) {
    return of(List.of(dates));
  }

  /** A calendar of single dates, for example those of a library of holidays. */
  public static CalendarBuilder of(Collection<LocalDate> dates) {
    CalendarBuilder builder = new CalendarBuilder();
    dates.forEach(date -> builder.range(date, date));
    return builder;
  }

  /**
   * Adds all dates from one to another, both inclusive.
   *
   * @throws IllegalArgumentException if the last is before the first
   */
  public CalendarBuilder range(LocalDate first, LocalDate last) {
    if (last.isBefore(first)) {
      throw new IllegalArgumentException(
          "the range ends on %s, before it begins on %s".formatted(last, first));
    }
    dates.add(new DateRange(first, last));
    return this;
  }

  /** Adds days of every week. */
  public CalendarBuilder weekdays(DayOfWeek... days) {
    weekdays.addAll(List.of(days));
    return this;
  }

  /** Text for people. */
  public CalendarBuilder description(String text) {
    description = text;
    return this;
  }

  /**
   * The record.
   *
   * @throws IllegalStateException if it excludes every weekday, or has more than 10,000 dates and
   *     ranges: the scheduler would refuse it
   */
  public Calendar build() {
    if (weekdays.size() == DayOfWeek.values().length) {
      throw new IllegalStateException("a calendar excludes at most six weekdays, not all seven");
    }
    if (dates.size() > MAX_DATES) {
      throw new IllegalStateException(
          "a calendar has at most %d dates and ranges, not %d".formatted(MAX_DATES, dates.size()));
    }
    return Calendar.newBuilder()
        .setDates(List.copyOf(dates))
        .setWeekdays(weekdays.stream().map(CalendarBuilder::weekday).toList())
        .setDescription(description)
        .build();
  }

  private static Weekday weekday(DayOfWeek day) {
    return Weekday.valueOf(day.name().substring(0, 3));
  }
}
