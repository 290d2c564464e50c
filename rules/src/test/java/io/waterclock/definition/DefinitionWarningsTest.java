package io.waterclock.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Dialect;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Unit;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DefinitionWarningsTest {
  private static Schedule cron(String expression, Dialect dialect) {
    return Schedule.newBuilder()
        .setTrigger(new CronTrigger(expression))
        .setDialect(dialect)
        .build();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"0 0 9 ? * 2-6", "0 0 9 ? * 6L", "0 0 9 ? * 6#2", "0 0 9 ? * MON,4", "0 9 ? * 1 "})
  void numbered_weekdays_beside_a_question_mark_may_be_those_of_quartz(String expression) {
    assertThat(DefinitionWarnings.of(cron(expression, Dialect.WATERCLOCK)))
        .singleElement()
        .satisfies(warning -> assertThat(warning.getField()).isEqualTo("cron"))
        .satisfies(
            warning ->
                assertThat(Optional.ofNullable(warning.getExample()))
                    .contains("\"dialect\":\"quartz\""));
    assertThat(DefinitionWarnings.of(cron(expression, Dialect.QUARTZ))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"0 0 9 ? * MON-FRI", "0 9 * * 1-5", "0 0 9 15 * ?", "0 0 9 ? * */2", "@daily"})
  void what_every_scheduler_reads_alike_has_no_warning(String expression) {
    assertThat(DefinitionWarnings.of(cron(expression, Dialect.WATERCLOCK))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "0 16 L * *, true",
    "0 0 16 1 * *, true",
    "0 16 28-31 * MON-FRI, true",
    "0 16 * * *, false",
    "0 0 16 * * MON-FRI, false",
    "@daily, false"
  })
  void a_business_day_among_some_dates_of_the_month_may_never_come(
      String expression, boolean warns) {
    Schedule schedule = cron(expression, Dialect.WATERCLOCK);
    assertThat(DefinitionWarnings.of(schedule)).isEmpty();
    schedule.setBusinessDay(-1);
    assertThat(DefinitionWarnings.of(schedule))
        .extracting(Problem::getField)
        .isEqualTo(warns ? List.of("business_day") : List.of());
  }

  @Test
  void other_triggers_have_no_warning() {
    Schedule every =
        Schedule.newBuilder().setTrigger(new EveryTrigger(1L, Unit.HOUR, null, null)).build();
    assertThat(DefinitionWarnings.of(every)).isEmpty();
  }
}
