package io.waterclock.definition;

import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.SchemaUnavailableException;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.DateRange;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Weekday;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/** Validates calendars and finds all problems at once, up to a bound. */
public final class CalendarRules {
  /** Inclusive: the largest record, in any format. */
  public static final int MAX_BYTES = 512 * 1024;

  private static final int MAX_RANGES = 10_000;
  private static final int MAX_REPORTED = 20;
  private static final LocalDate EARLIEST = LocalDate.of(1, 1, 1);
  private static final LocalDate LATEST = LocalDate.of(9999, 12, 31);

  private CalendarRules() {}

  /**
   * The calendar in the value of a record; empty if the scheduler refuses it, so that the calendar
   * before it stays in force.
   *
   * @throws SchemaUnavailableException if the writer's schema is not available now
   */
  public static Optional<Calendar> acceptable(byte[] value, SchemaSource schemas) {
    return value.length > MAX_BYTES
        ? Optional.empty()
        : RecordCodecs.calendar()
            .readable(value, schemas)
            .filter(calendar -> problems(calendar).isEmpty());
  }

  /** All problems of a calendar; empty if it is valid. */
  public static List<Problem> problems(Calendar calendar) {
    List<Problem> problems = new ArrayList<>();
    List<DateRange> ranges = calendar.getDates();
    if (ranges.size() > MAX_RANGES) {
      problems.add(
          new Problem(
              "dates",
              "has " + ranges.size() + " entries; at most " + MAX_RANGES,
              "[\"2026-12-24/2027-01-01\"]"));
    }
    for (int i = 0; i < ranges.size() && problems.size() < MAX_REPORTED; i++) {
      range("dates[" + i + "]", ranges.get(i), problems);
    }
    if (new HashSet<>(calendar.getWeekdays()).size() == Weekday.values().length) {
      problems.add(
          new Problem(
              "weekdays", "excludes all seven, so nothing would ever occur", "[\"SAT\",\"SUN\"]"));
    }
    return problems;
  }

  private static void range(String field, DateRange range, List<Problem> problems) {
    LocalDate first = range.getFirst();
    LocalDate last = range.getLast();
    if (last.isBefore(first)) {
      problems.add(
          new Problem(
              field,
              first + "/" + last + " ends before it begins",
              "\"" + last + "/" + first + "\""));
    } else if (first.isBefore(EARLIEST) || last.isAfter(LATEST)) {
      problems.add(
          new Problem(field, "is not within the years 1 to 9999", "\"2026-12-24/2027-01-01\""));
    }
  }
}
