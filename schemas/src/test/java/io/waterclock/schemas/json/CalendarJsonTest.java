package io.waterclock.schemas.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.waterclock.schemas.CalendarName;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.DateRange;
import io.waterclock.schemas.avro.Weekday;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CalendarJsonTest {
  private static Calendar read(String json) {
    return RecordCodecs.calendar().decode(json.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void dates_are_written_as_people_write_them() {
    Calendar calendar =
        read(
            "{\"dates\":[\"2026-12-25\",\"2026-12-31/2027-01-01\"],\"weekdays\":[\"SAT\",\"sun\"]}");
    assertThat(calendar.getDates())
        .containsExactly(
            new DateRange(LocalDate.of(2026, 12, 25), LocalDate.of(2026, 12, 25)),
            new DateRange(LocalDate.of(2026, 12, 31), LocalDate.of(2027, 1, 1)));
    assertThat(calendar.getWeekdays()).containsExactly(Weekday.SAT, Weekday.SUN);
    assertThat(RecordCodecs.calendar().toJson(calendar))
        .hasToString(
            "{\"dates\":[\"2026-12-25\",\"2026-12-31/2027-01-01\"],\"weekdays\":[\"SAT\",\"SUN\"]}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{\"dates\":[\"2026-12-25\",\"2026-02-30\"]}; dates[1]: \"2026-02-30\" is neither a date",
        "{\"dates\":[\"2026-12-25/\"]}; dates[0]: \"2026-12-25/\" is neither a date",
        "{\"dates\":[7]}; dates[0]: is the number 7",
        "{\"weekdays\":[\"satur\"]}; weekdays[0]: \"satur\" is none of",
        "{\"date\":[]}; \"dates\"",
      })
  void a_problem_names_the_entry(String json, String told) {
    assertThatExceptionOfType(UndecodableException.class)
        .isThrownBy(() -> read(json))
        .withMessageContaining(told);
  }

  @Test
  void a_name_is_a_short_id() {
    assertThat(new CalendarName("holidays/de:2026").value()).isEqualTo("holidays/de:2026");
    assertThatExceptionOfType(InvalidIdException.class)
        .isThrownBy(() -> new CalendarName("x".repeat(65)))
        .withMessageContainingAll("calendar name has 65 characters", "\"holidays-de\"");
  }
}
