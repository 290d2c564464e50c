package io.waterclock.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.json.ScheduleJson;
import io.waterclock.schemas.json.ScheduleReading;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TriggerRulesTest {
  private static final Instant NOW = Instant.parse("2026-03-04T10:00:00Z");
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  private static Schedule schedule(String json) {
    ScheduleReading reading =
        ScheduleJson.read(json.getBytes(StandardCharsets.UTF_8), ZoneOffset.UTC);
    assertThat(reading.problems()).isEmpty();
    return reading.schedule();
  }

  private static Optional<Problem> problem(String json) {
    return TriggerRules.problem("a", schedule(json), BERLIN, NOW);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"cron\":\"0 9 * * 1-5\"}",
        "{\"every\":\"5m\"}",
        "{\"every\":\"1 month\",\"anchor\":\"2026-01-31T09:00:00Z\"}",
        "{\"rrule\":\"FREQ=MONTHLY;BYDAY=-1FR\"}",
        "{\"rrule\":\"FREQ=DAILY;COUNT=3\",\"anchor\":\"2020-01-01T09:00:00Z\"}",
        "{\"at\":\"2020-01-01T00:00:00Z\"}",
        "{\"in\":\"90s\"}"
      })
  void a_trigger_that_can_be_read_and_occurs_is_right(String json) {
    assertThat(problem(json)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"cron\":\"61 * * * *\"}|cron",
        "{\"cron\":\"0 0 30 2 *\"}|cron",
        "{\"rrule\":\"FREQ=SOMETIMES\"}|rrule",
        "{\"rrule\":\"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30\"}|rrule",
      })
  void one_that_cannot_be_read_or_never_occurs_is_told_with_its_field(String json, String field) {
    Problem problem = problem(json).orElseThrow();
    assertThat(problem.getField()).isEqualTo(field);
    assertThat(problem.getMessage()).isNotEmpty();
    assertThat(problem.getExample()).isNotEmpty();
  }

  @Test
  void a_once_has_one_of_its_two_times() {
    for (OnceTrigger once :
        new OnceTrigger[] {new OnceTrigger(null, null), new OnceTrigger(NOW, 5L)}) {
      Schedule schedule = schedule("{\"at\":\"now\"}");
      schedule.setTrigger(once);
      assertThat(TriggerRules.problem("a", schedule, BERLIN, NOW))
          .map(Problem::getMessage)
          .contains("exactly one of at and in is needed");
    }
  }
}
