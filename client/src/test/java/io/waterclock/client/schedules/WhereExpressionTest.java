package io.waterclock.client.schedules;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.CommandedPause;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.text.InvalidValueException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WhereExpressionTest {
  private static final KnownSchedule PAUSED =
      known(
          "{\"cron\":\"0 9 * * *\",\"catch_up\":\"replay\",\"grace\":\"5m\",\"owner\":\"acme\","
              + "\"labels\":{\"team\":\"a b\",\"tier\":\"1\"},\"except\":[\"holidays\"],"
              + "\"end_at\":\"2027-01-01T00:00:00Z\",\"priority\":3,"
              + "\"target\":{\"topic\":\"t\"}}");

  private static KnownSchedule known(String json) {
    return KnownSchedule.of("reports/daily")
        .with(
            Optional.of(
                new WrittenDefinition(
                    "s-0@1", Optional.of(RecordCodecs.schedule().decode(json.getBytes(UTF_8))))))
        .withStatus(
            Optional.of(
                ScheduleStatus.newBuilder()
                    .setScheduleId("reports/daily")
                    .setState(State.PAUSED)
                    .setSince(Instant.parse("2026-11-21T10:00:00Z"))
                    .setPause(new CommandedPause(Instant.EPOCH, "deploying", "ann"))
                    .build()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "id = reports/daily",
        "id ~ reports/*",
        "id !~ *weekly and id != x",
        "state = paused",
        "state != ACTIVE",
        "catch_up = Replay",
        "overlap = allow", // a default
        "grace = 300s and grace > 4m and grace <= PT5M",
        "max_attempts = 4",
        "priority >= 3 and priority < 4",
        "owner",
        "not type",
        "labels.team = 'a b'",
        "labels.team = \"a b\" and not labels.region",
        "labels.none != x",
        "except = holidays and except ~ holi*",
        "trigger = cron and cron ~ '0 9 *'",
        "end_at > 2026-12-31T00:00:00Z",
        "since < 2026-11-22",
        "paused_by = ann and pause_note ~ deploy*",
        "target.topic = t",
        "enabled",
        "not rearm",
        "type = x or owner = acme and priority = 3",
        "(type = x or owner = acme) and not (priority = 4)",
        "NOT type AND owner=acme",
      })
  void is_true(String expression) {
    assertThat(WhereExpression.parse(expression).test(PAUSED)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "id = reports", "type", "type < x", "rearm", "not owner", "labels.team = a",
        "state = active", "grace > 5m", "owner ~ acm", "owner ~ a.me", "rrule", "not not type",
        "owner = acme and type or priority = 4"
      })
  void is_false(String expression) {
    assertThat(WhereExpression.parse(expression).test(PAUSED)).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                    | column 1: expected a field",
        "ownr = acme           | column 1: \"ownr\" is no field; for example owner = VALUE",
        "owner =               | column 8: expected a value",
        "owner = acme type = x | column 14: expected and, or, or the end",
        "(owner = acme         | column 14: expected )",
        "owner = acme)         | column 13: expected and, or, or the end",
        "grace > soon          | column 9: ",
        "state = pausd         | column 9: \"pausd\" is none of ACTIVE, PAUSED",
        "priority = high       | column 12: \"high\" is no whole number",
        "owner = 'acme         | cannot be read from column 8 on",
        "and                   | column 1: \"and\" is no field",
      })
  void an_error_names_its_column(String expression, String problem) {
    assertThatThrownBy(() -> WhereExpression.parse(expression))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining(problem);
  }

  @Test
  void hostile_text_ends_with_an_error() {
    for (String hostile :
        List.of(
            " ".repeat(20_000) + "'",
            " ".repeat(19_999) + "'",
            "(".repeat(20_000),
            "not ".repeat(5_000),
            "owner = " + "a".repeat(20_000))) {
      assertThatThrownBy(() -> WhereExpression.parse(hostile))
          .isInstanceOf(InvalidValueException.class);
    }
    assertThat(WhereExpression.parse("id ~ '" + "*a".repeat(40) + "'").test(PAUSED)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"description ~ x", "owner or description = x", "not (description)"})
  void the_effort_is_at_least_what_is_read(String expression) {
    String long1 = "{\"every\":\"1h\",\"description\":\"" + "d".repeat(100_000) + "\"}";
    WhereExpression where = WhereExpression.parse(expression);
    assertThat(where.steps(known(long1))).isBetween(100_000L, 100_100L);
    assertThat(where.steps(PAUSED)).isBetween(1L, 100L);
  }

  @Test
  void each_comparison_adds_to_the_effort() {
    long one = WhereExpression.parse("cron ~ *").steps(PAUSED);
    assertThat(WhereExpression.parse("cron ~ *" + " or cron ~ *".repeat(99)).steps(PAUSED))
        .isEqualTo(100 * one);
  }

  @Test
  void a_selector_needs_all_its_parts() {
    assertThat(Selector.all().test(PAUSED)).isTrue();
    assertThat(
            Selector.all()
                .state(State.PAUSED)
                .owner("acme")
                .label("tier", "1")
                .idPrefix("reports/")
                .where("catch_up = replay")
                .test(PAUSED))
        .isTrue();
    assertThat(Selector.all().state(State.ACTIVE).test(PAUSED)).isFalse();
    assertThat(Selector.all().label("tier", "2").test(PAUSED)).isFalse();
    assertThat(Selector.all().idPrefix("daily").test(PAUSED)).isFalse();
    assertThat(Selector.all().where("owner = beta").test(PAUSED)).isFalse();
  }
}
