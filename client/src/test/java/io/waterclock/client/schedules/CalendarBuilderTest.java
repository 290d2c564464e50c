package io.waterclock.client.schedules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.DateRange;
import io.waterclock.schemas.avro.Weekday;
import java.time.DayOfWeek;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;

final class CalendarBuilderTest {
  private static final LocalDate CHRISTMAS = LocalDate.of(2026, 12, 25);

  @Test
  void dates_ranges_and_weekdays_become_a_record() {
    Calendar calendar =
        CalendarBuilder.of(CHRISTMAS)
            .range(CHRISTMAS.plusDays(6), CHRISTMAS.plusDays(7))
            .weekdays(DayOfWeek.SUNDAY, DayOfWeek.MONDAY)
            .description("closed")
            .build();
    assertThat(calendar.getDates())
        .containsExactly(
            new DateRange(CHRISTMAS, CHRISTMAS),
            new DateRange(LocalDate.of(2026, 12, 31), LocalDate.of(2027, 1, 1)));
    assertThat(calendar.getWeekdays()).containsExactly(Weekday.MON, Weekday.SUN);
    assertThat(calendar.getDescription()).isEqualTo("closed");
  }

  @Test
  void what_the_scheduler_would_refuse_is_refused_here() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CalendarBuilder.of().range(CHRISTMAS, CHRISTMAS.minusDays(1)))
        .withMessageContaining("ends on 2026-12-24, before it begins on 2026-12-25");
    assertThatIllegalStateException()
        .isThrownBy(() -> CalendarBuilder.of().weekdays(DayOfWeek.values()).build())
        .withMessageContaining("not all seven");
    CalendarBuilder many = CalendarBuilder.of();
    for (int i = 0; i <= 10_000; i++) {
      many.range(CHRISTMAS, CHRISTMAS);
    }
    assertThatIllegalStateException().isThrownBy(many::build).withMessageContaining("10001");
  }
}
