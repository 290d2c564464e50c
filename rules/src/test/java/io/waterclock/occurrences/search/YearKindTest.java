package io.waterclock.occurrences.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.occurrences.core.Civil;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.temporal.WeekFields;
import org.junit.jupiter.api.Test;

class YearKindTest {

  @Test
  void weeks_are_those_of_java_time_at_the_ends_of_four_hundred_years() {
    for (DayOfWeek start : DayOfWeek.values()) {
      WeekFields weeks = WeekFields.of(start, 4);
      int weekStart = start.getValue() % 7;
      for (int year = 1901; year <= 2300; year++) {
        YearKind kind = YearKind.of(YearKind.index(year));
        for (int day = 0; day < kind.length(); day += day == 5 ? kind.length() - 12 : 1) {
          LocalDate date = LocalDate.ofYearDay(year, day + 1);
          int week = date.get(weeks.weekOfWeekBasedYear());
          int last = (int) weeks.weekOfWeekBasedYear().rangeRefinedBy(date).getMaximum();
          if (kind.week(day, weekStart) != week
              || kind.weekFromEnd(day, weekStart) != week - last - 1) {
            assertThat(kind.week(day, weekStart)).as("%s from %s", date, start).isEqualTo(week);
            assertThat(kind.weekFromEnd(day, weekStart))
                .as("%s from %s", date, start)
                .isEqualTo(week - last - 1);
          }
        }
      }
    }
  }

  @Test
  void months_and_weekdays_are_those_of_java_time() {
    for (int year = 1999; year <= 2005; year++) {
      YearKind kind = YearKind.of(YearKind.index(year));
      for (int day = 0; day < kind.length(); day++) {
        LocalDate date = LocalDate.ofYearDay(year, day + 1);
        assertThat(Civil.month(kind.date(day))).isEqualTo(date.getMonthValue());
        assertThat(Civil.day(kind.date(day))).isEqualTo(date.getDayOfMonth());
        assertThat(kind.weekday(day)).isEqualTo(date.getDayOfWeek().getValue() % 7);
      }
    }
  }
}
