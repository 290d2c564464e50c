package io.waterclock.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
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

  /** What is written of a row, by its columns; empty where the fire is dropped. */
  private static Map<String, Object> written(RunTimes<SinkRecord> times, Fire fire) {
    SchemaAndValue read =
        new FireConverter()
            .toConnectData("fires", RecordCodecs.fire().encode(fire, WireFormat.AVRO));
    SinkRecord out =
        times.apply(
            new SinkRecord(
                "fires", 0, Schema.STRING_SCHEMA, "key", read.schema(), read.value(), 0L));
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
  void a_fire_is_the_last_and_the_next_run_of_the_row_that_defines_its_schedule() {
    RunTimes<SinkRecord> polls = of("mapping", "polls", "id.prefix", "polls/");
    assertThat(written(polls, fire("polls/" + GUID, Cause.SCHEDULED, AT.plusSeconds(60))))
        .containsOnly(
            Map.entry("guid", GUID),
            Map.entry("last_run", "2026-11-21T10:00:00.007Z"),
            Map.entry("next_run", "2026-11-21T10:01:00Z"));
  }

  @Test
  void the_next_run_stays_as_it_is_where_there_is_none_or_the_fire_is_not_the_triggers_own() {
    RunTimes<SinkRecord> both =
        of("id.column", "id", "last_run.column", "l", "next_run.column", "n");
    assertThat(written(both, fire("a", Cause.SCHEDULED, null))).containsOnlyKeys("id", "l");
    assertThat(written(both, fire("a", Cause.TRIGGERED, AT))).containsOnlyKeys("id", "l");
    assertThat(written(both, fire("a", Cause.CATCH_UP, AT))).containsOnlyKeys("id", "l", "n");
    RunTimes<SinkRecord> tasks = of("mapping", "tasks");
    assertThat(written(tasks, fire("a", Cause.SCHEDULED, null))).isEmpty();
  }

  @Test
  void fires_of_other_schedules_are_dropped() {
    RunTimes<SinkRecord> polls = of("mapping", "polls", "id.prefix", "polls/");
    assertThat(written(polls, fire("jobs/" + GUID, Cause.SCHEDULED, AT))).isEmpty();
    assertThat(written(polls, fire("polls/x", Cause.SCHEDULED, AT))).isEmpty();
    assertThat(written(polls, fire("polls/" + GUID, Cause.BACKFILL, AT))).isEmpty();
    RunTimes<SinkRecord> numbers =
        of("id.column", "id", "id.type", "number", "last_run.column", "l");
    assertThat(written(numbers, fire("x", Cause.SCHEDULED, AT))).isEmpty();
    assertThat(written(numbers, fire("7", Cause.SCHEDULED, AT))).containsEntry("id", 7L);
  }

  @Test
  void an_escaped_id_is_that_of_the_row_again() {
    RunTimes<SinkRecord> jobs =
        of("id.column", "name", "id.prefix", "jobs/", "last_run.column", "l");
    assertThat(written(jobs, fire("jobs/nightly~20report", Cause.SCHEDULED, AT)))
        .containsEntry("name", "nightly report");
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
