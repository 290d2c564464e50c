package io.waterclock.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Dialect;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Unit;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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

  @Test
  void other_triggers_have_no_warning() {
    Schedule every =
        Schedule.newBuilder().setTrigger(new EveryTrigger(1L, Unit.HOUR, null, null)).build();
    assertThat(DefinitionWarnings.of(every)).isEmpty();
  }
}
