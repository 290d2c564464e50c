package io.waterclock.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.occurrences.core.Effort;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.DateRange;
import io.waterclock.schemas.avro.Weekday;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpenDaysTest {
  /** What the exchange has announced for 2026. */
  private static final List<String> NYSE_2026 =
      List.of(
          "2026-01-01",
          "2026-01-19",
          "2026-02-16",
          "2026-04-03",
          "2026-05-25",
          "2026-06-19",
          "2026-07-03",
          "2026-09-07",
          "2026-11-26",
          "2026-12-25");

  /** Counted on a calendar of paper, and again by a program in another language. */
  @ParameterizedTest
  @CsvSource({
    "1, 01-02 02-02 03-02 04-01 05-01 06-01 07-01 08-03 09-01 10-01 11-02 12-01",
    "2, 01-05 02-03 03-03 04-02 05-04 06-02 07-02 08-04 09-02 10-02 11-03 12-02",
    "3, 01-06 02-04 03-04 04-06 05-05 06-03 07-06 08-05 09-03 10-05 11-04 12-03",
    "-1, 01-30 02-27 03-31 04-30 05-29 06-30 07-31 08-31 09-30 10-30 11-30 12-31",
    "-3, 01-28 02-25 03-27 04-28 05-27 06-26 07-29 08-27 09-28 10-28 11-25 12-29",
    "-5, 01-26 02-23 03-25 04-24 05-22 06-24 07-27 08-25 09-24 10-26 11-23 12-24",
    "20, 01-30 03-27 04-29 05-29 06-29 07-29 08-28 09-29 10-28 11-30 12-29"
  })
  void business_days_of_the_new_york_stock_exchange_in_2026(int ordinal, String expected) {
    Calendar nyse =
        Calendar.newBuilder()
            .setWeekdays(List.of(Weekday.SAT, Weekday.SUN))
            .setDates(
                NYSE_2026.stream()
                    .map(LocalDate::parse)
                    .map(date -> new DateRange(date, date))
                    .toList())
            .build();
    OpenDays days = days(List.of(nyse), List.of(), OptionalInt.of(ordinal));
    long last = LocalDate.of(2026, 12, 31).toEpochDay();
    List<String> found = new ArrayList<>();
    for (long day = days.firstFrom(LocalDate.of(2026, 1, 1).toEpochDay(), last);
        day <= last;
        day = days.firstFrom(day + 1, last)) {
      assertThat(days.contains(day)).isTrue();
      found.add(LocalDate.ofEpochDay(day).toString().substring(5));
    }
    assertThat(found).containsExactly(expected.split(" "));
  }

  @Test
  void every_question_is_answered_as_by_looking_at_day_after_day() {
    SplittableRandom random = new SplittableRandom(17);
    for (int round = 0; round < 2_000; round++) {
      List<Calendar> except = calendars(random);
      List<Calendar> only = calendars(random);
      OptionalInt ordinal =
          random.nextBoolean()
              ? OptionalInt.empty()
              : OptionalInt.of((1 + random.nextInt(23)) * (random.nextBoolean() ? 1 : -1));
      OpenDays days = days(except, only, ordinal);
      long day = random.nextInt(90);
      long limit = day + random.nextInt(50);
      assertThat(days.contains(day)).isEqualTo(isIn(except, only, ordinal, day));
      assertThat(Math.min(days.firstFrom(day, limit), limit + 1))
          .isEqualTo(first(day, limit, except, only, ordinal, true));
      assertThat(days.firstOtherFrom(day, limit))
          .isEqualTo(first(day, limit, except, only, ordinal, false));
    }
  }

  private static OpenDays days(List<Calendar> except, List<Calendar> only, OptionalInt ordinal) {
    return new OpenDays(
        except.stream().map(CalendarDays::of).toList(),
        only.stream().map(CalendarDays::of).toList(),
        ordinal,
        Effort.unlimited());
  }

  private static long first(
      long day,
      long limit,
      List<Calendar> except,
      List<Calendar> only,
      OptionalInt ordinal,
      boolean in) {
    return LongStream.rangeClosed(day, limit)
        .filter(each -> isIn(except, only, ordinal, each) == in)
        .findFirst()
        .orElse(limit + 1);
  }

  private static boolean isIn(
      List<Calendar> except, List<Calendar> only, OptionalInt ordinal, long day) {
    LocalDate date = LocalDate.ofEpochDay(day);
    if (ordinal.isEmpty() || !isOpen(except, only, date)) {
      return isOpen(except, only, date);
    }
    LocalDate month = date.withDayOfMonth(1);
    LocalDate next = month.plusMonths(1);
    long rank =
        ordinal.getAsInt() > 0
            ? month.datesUntil(date.plusDays(1)).filter(d -> isOpen(except, only, d)).count()
            : -date.datesUntil(next).filter(d -> isOpen(except, only, d)).count();
    return rank == ordinal.getAsInt();
  }

  private static boolean isOpen(List<Calendar> except, List<Calendar> only, LocalDate date) {
    return except.stream().noneMatch(calendar -> has(calendar, date))
        && (only.isEmpty() || only.stream().anyMatch(calendar -> has(calendar, date)));
  }

  private static boolean has(Calendar calendar, LocalDate date) {
    return calendar.getDates().stream()
            .anyMatch(r -> !date.isBefore(r.getFirst()) && !date.isAfter(r.getLast()))
        || calendar.getWeekdays().stream()
            .anyMatch(weekday -> date.getDayOfWeek().name().startsWith(weekday.name()));
  }

  private static List<Calendar> calendars(SplittableRandom random) {
    return Stream.generate(() -> calendar(random)).limit(random.nextInt(3)).toList();
  }

  private static Calendar calendar(SplittableRandom random) {
    List<DateRange> ranges = new ArrayList<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      LocalDate first = LocalDate.ofEpochDay(random.nextInt(120));
      ranges.add(new DateRange(first, first.plusDays(random.nextInt(12))));
    }
    List<Weekday> weekdays = new ArrayList<>(List.of(Weekday.values()));
    weekdays.removeIf(day -> random.nextInt(3) > 0);
    return new Calendar(ranges, weekdays, null);
  }
}
