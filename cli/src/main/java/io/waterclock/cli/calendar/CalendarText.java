package io.waterclock.cli.calendar;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.schemas.CalendarName;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.DateRange;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Collectors;

/** Calendars as text and JSON. */
final class CalendarText {
  private CalendarText() {}

  /**
   * @throws Failure if it is not a valid name of a calendar
   */
  static CalendarName name(String text) {
    try {
      return new CalendarName(text);
    } catch (InvalidIdException e) {
      throw new Failure("The name is invalid: " + e.getMessage() + ".", e);
    }
  }

  /** For example "14 dates and SAT, SUN". */
  static String excluded(Calendar calendar) {
    long dates =
        calendar.getDates().stream()
            .mapToLong(range -> ChronoUnit.DAYS.between(range.getFirst(), range.getLast()) + 1)
            .sum();
    String weekdays = weekdays(calendar);
    if (dates == 0) {
      return weekdays.isEmpty() ? "nothing" : weekdays;
    }
    return (dates == 1 ? "1 date" : dates + " dates")
        + (weekdays.isEmpty() ? "" : " and " + weekdays);
  }

  static ObjectNode json(String name, Calendar calendar) {
    ObjectNode tree = JsonNodeFactory.instance.objectNode().put("name", name);
    tree.set("calendar", RecordCodecs.calendar().toJson(calendar));
    return tree;
  }

  static String weekdays(Calendar calendar) {
    return calendar.getWeekdays().stream().map(Enum::name).collect(Collectors.joining(", "));
  }

  /** The last date that it names; after it, it excludes only weekdays. */
  static Optional<LocalDate> lastDate(Calendar calendar) {
    return calendar.getDates().stream().map(DateRange::getLast).max(Comparator.naturalOrder());
  }
}
