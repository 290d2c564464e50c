package io.waterclock.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.OutcomeState;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunTimesTest {
  private static final Instant AT = Instant.parse("2026-11-21T10:00:00Z");
  private static final String GUID = "6f1c2f0e-7d0b-4b0a-9d51-1f0c8f6f2b11";

  private static RunTimes<SinkRecord> of(String... settings) {
    Map<String, String> all = new HashMap<>();
    for (int i = 0; i < settings.length; i += 2) {
      all.put(settings[i], settings[i + 1]);
    }
    RunTimes<SinkRecord> times = new RunTimes<>();
    times.configure(all);
    return times;
  }

  private static Fire fire(String id, Cause cause, @Nullable Instant next) {
    Fire fire = TestFires.of(id, AT, schedule -> {});
    fire.setCause(cause);
    fire.setNext(next);
    return fire;
  }

  private static Outcome outcome(String id, OutcomeState state, @Nullable Instant startedAt) {
    return Outcome.newBuilder()
        .setFireKey(id + "|2026-11-21T10:00:00.000Z")
        .setState(state)
        .setStartedAt(startedAt)
        .build();
  }

  private static Map<String, Object> written(RunTimes<SinkRecord> times, Fire fire) {
    return written(
        times,
        new FireConverter()
            .toConnectData("fires", RecordCodecs.fire().encode(fire, WireFormat.AVRO)));
  }

  private static Map<String, Object> written(RunTimes<SinkRecord> times, Outcome outcome) {
    return written(
        times,
        new OutcomeConverter()
            .toConnectData("outcomes", RecordCodecs.outcome().encode(outcome, WireFormat.AVRO)));
  }

  /** What is written of a row, by its columns; empty where the record is dropped. */
  private static Map<String, Object> written(RunTimes<SinkRecord> times, SchemaAndValue read) {
    SinkRecord out =
        times.apply(
            new SinkRecord("any", 0, Schema.STRING_SCHEMA, "key", read.schema(), read.value(), 0L));
    if (out == null) {
      return Map.of();
    }
    Struct row = (Struct) out.value();
    row.validate();
    Map<String, Object> columns = new LinkedHashMap<>();
    for (Field field : row.schema().fields()) {
      columns.put(field.name(), row.get(field));
    }
    return columns;
  }

  @Test
  void a_fire_writes_the_next_run_of_the_row_that_defines_its_schedule() {
    RunTimes<SinkRecord> polls = of("mapping", "polls", "id.prefix", "polls/");
    assertThat(written(polls, fire("polls/" + GUID, Cause.SCHEDULED, AT.plusSeconds(60))))
        .containsOnly(Map.entry("guid", GUID), Map.entry("next_run", "2026-11-21T10:01:00Z"));
    RunTimes<SinkRecord> workflows = of("mapping", "workflows", "id.prefix", "workflows/");
    assertThat(written(workflows, fire("workflows/7", Cause.SCHEDULED, AT.plusSeconds(60))))
        .containsOnly(Map.entry("id", 7L), Map.entry("next_run_at", "2026-11-21T10:01:00Z"));
  }

  /** The worker stands for 27 s: the fire of 10:00:00 is no run, that of the start is. */
  @Test
  void the_last_run_is_the_start_of_a_run_and_not_the_time_of_its_fire() {
    RunTimes<SinkRecord> polls = of("mapping", "polls", "id.prefix", "polls/");
    String id = "polls/" + GUID;
    assertThat(written(polls, fire(id, Cause.SCHEDULED, AT.plusSeconds(60))))
        .doesNotContainKey("last_run");
    Instant start = AT.plusSeconds(27);
    assertThat(written(polls, outcome(id, OutcomeState.STARTED, start)))
        .containsOnly(Map.entry("guid", GUID), Map.entry("last_run", "2026-11-21T10:00:27Z"));
  }

  @Test
  void only_the_first_start_of_a_run_writes_the_last_run() {
    RunTimes<SinkRecord> polls = of("mapping", "polls", "id.prefix", "polls/");
    String id = "polls/" + GUID;
    for (OutcomeState end :
        List.of(OutcomeState.SUCCEEDED, OutcomeState.FAILED, OutcomeState.DROPPED)) {
      assertThat(written(polls, outcome(id, end, AT))).as("%s", end).isEmpty();
    }
    Outcome retry = outcome(id, OutcomeState.STARTED, AT);
    retry.setAttempt(2);
    assertThat(written(polls, retry)).isEmpty();
    assertThat(written(polls, outcome(id, OutcomeState.STARTED, null))).isEmpty();
  }

  @Test
  void the_next_run_stays_as_it_is_where_there_is_none_to_come() {
    RunTimes<SinkRecord> both =
        of("id.column", "id", "last_run.column", "l", "next_run.column", "n");
    Instant next = AT.plusSeconds(60);
    assertThat(written(both, fire("a", Cause.SCHEDULED, null))).isEmpty();
    assertThat(written(both, fire("a", Cause.CATCH_UP, AT))).as("a replay").isEmpty();
    assertThat(written(both, fire("a", Cause.TRIGGERED, next))).containsOnlyKeys("id", "n");
    assertThat(written(both, fire("a", Cause.CATCH_UP, next))).containsOnlyKeys("id", "n");
  }

  @Test
  void records_of_other_schedules_are_dropped() {
    Instant next = AT.plusSeconds(60);
    RunTimes<SinkRecord> polls = of("mapping", "polls", "id.prefix", "polls/");
    assertThat(written(polls, fire("jobs/" + GUID, Cause.SCHEDULED, next))).isEmpty();
    assertThat(written(polls, fire("polls/x", Cause.SCHEDULED, next))).isEmpty();
    assertThat(written(polls, fire("polls/" + GUID, Cause.BACKFILL, next))).isEmpty();
    assertThat(written(polls, outcome("jobs/" + GUID, OutcomeState.STARTED, AT))).isEmpty();
    RunTimes<SinkRecord> numbers =
        of("id.column", "id", "id.type", "number", "next_run.column", "n");
    assertThat(written(numbers, fire("x", Cause.SCHEDULED, next))).isEmpty();
    assertThat(written(numbers, fire("7", Cause.SCHEDULED, next))).containsEntry("id", 7L);
  }

  @Test
  void an_escaped_id_is_that_of_the_row_again() {
    RunTimes<SinkRecord> jobs =
        of("id.column", "name", "id.prefix", "jobs/", "next_run.column", "n");
    assertThat(written(jobs, fire("jobs/nightly~20report", Cause.SCHEDULED, AT.plusSeconds(60))))
        .containsEntry("name", "nightly report");
  }

  @ParameterizedTest
  @ValueSource(strings = {"007", "~2B7", "-0", "~37", "~D9~A7"})
  void a_schedule_that_no_row_defines_writes_into_no_row_of_a_number(String id) {
    RunTimes<SinkRecord> workflows = of("mapping", "workflows", "id.prefix", "w/");
    assertThat(written(workflows, fire("w/" + id, Cause.SCHEDULED, AT.plusSeconds(60)))).isEmpty();
    assertThat(written(workflows, fire("w/-7", Cause.SCHEDULED, AT.plusSeconds(60))))
        .containsEntry("id", -7L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"~41", "~FF", "a~7Eb"})
  void nor_into_one_of_a_text(String id) {
    RunTimes<SinkRecord> jobs =
        of("id.column", "name", "id.prefix", "jobs/", "next_run.column", "n");
    assertThat(written(jobs, fire("jobs/" + id, Cause.SCHEDULED, AT.plusSeconds(60)))).isEmpty();
  }

  /** PostgreSQL refuses such a text in a query, too, and the sink would try it for ever. */
  @Test
  void an_id_with_a_zero_character_is_of_no_row() {
    RunTimes<SinkRecord> jobs =
        of("id.column", "name", "id.prefix", "jobs/", "next_run.column", "n");
    assertThat(written(jobs, fire("jobs/~00", Cause.SCHEDULED, AT.plusSeconds(60)))).isEmpty();
  }

  @Test
  void missing_settings_are_reported() {
    assertThatThrownBy(() -> of("last_run.column", "l"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("id.column is missing");
    assertThatThrownBy(() -> of("mapping", "jobs"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("set last_run.column, next_run.column or both");
    assertThatThrownBy(
            () ->
                of("mapping", "polls")
                    .apply(new SinkRecord("fires", 0, null, null, null, "text", 0L)))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("FireConverter");
  }
}
