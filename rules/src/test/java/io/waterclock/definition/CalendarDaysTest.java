package io.waterclock.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.DateRange;
import io.waterclock.schemas.avro.Weekday;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CalendarDaysTest {
  private static final int DAYS = 60;

  @Test
  void every_question_is_answered_as_by_looking_at_day_after_day() {
    SplittableRandom random = new SplittableRandom(11);
    for (int round = 0; round < 500; round++) {
      Calendar calendar = calendar(random);
      CalendarDays days = CalendarDays.of(calendar);
      for (long day = -2; day < DAYS; day++) {
        assertThat(days.contains(day)).isEqualTo(contains(calendar, day));
        long first = day;
        while (first <= day + 20 && !contains(calendar, first)) {
          first++;
        }
        assertThat(days.firstFrom(day, day + 20)).isEqualTo(first);
        for (long in = day; in <= days.lastOfRun(day) && contains(calendar, day); in++) {
          assertThat(contains(calendar, in)).isTrue();
        }
      }
    }
  }

  private static Calendar calendar(SplittableRandom random) {
    List<DateRange> ranges = new ArrayList<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      LocalDate first = LocalDate.ofEpochDay(random.nextInt(DAYS));
      ranges.add(new DateRange(first, first.plusDays(random.nextInt(6))));
    }
    List<Weekday> weekdays = new ArrayList<>(List.of(Weekday.values()));
    weekdays.removeIf(day -> random.nextInt(3) > 0);
    return new Calendar(ranges, weekdays, null);
  }

  private static boolean contains(Calendar calendar, long day) {
    LocalDate date = LocalDate.ofEpochDay(day);
    return calendar.getDates().stream()
            .anyMatch(r -> !date.isBefore(r.getFirst()) && !date.isAfter(r.getLast()))
        || calendar.getWeekdays().stream()
            .anyMatch(weekday -> date.getDayOfWeek().name().startsWith(weekday.name()));
  }
}
