package io.waterclock.occurrences.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import org.junit.jupiter.api.Test;

class YearCalendarTest {
  @Test
  void a_search_for_days_that_never_come_ends_outside_the_horizon() {
    YearCalendar never = new YearCalendar((year, day) -> false);
    int today = (int) LocalDate.of(2026, 1, 1).toEpochDay();
    assertThat(never.next(today)).isGreaterThan((int) LocalDate.of(9999, 12, 31).toEpochDay());
    assertThat(never.previous(today)).isLessThan((int) LocalDate.of(0, 1, 1).toEpochDay());
    assertThat(never.count(today, today + 1000)).isZero();
  }
}
