package io.waterclock.connect;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.code_intelligence.jazzer.mutation.annotation.NotNull;
import io.waterclock.fuzz.Claims;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.json.JsonConverter;
import org.apache.kafka.connect.source.SourceRecord;

/** What Connect gives to our transformations and converters. */
final class ConnectFuzzTest {
  private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");
  private static final JsonConverter PLAIN = converter(false);
  private static final JsonConverter WITH_SCHEMA = converter(true);
  private static final ScheduleRow<SourceRecord> ROWS = rows();
  private static final FireConverter FIRES = new FireConverter();
  private static final OutcomeConverter OUTCOMES = new OutcomeConverter();
  private static final List<RunTimes<SourceRecord>> RUN_TIMES =
      List.of(runTimes("text"), runTimes("number"), runTimes("uuid"));

  private static JsonConverter converter(boolean schemas) {
    JsonConverter converter = new JsonConverter();
    converter.configure(Map.of("schemas.enable", schemas, "converter.type", "value"));
    return converter;
  }

  private static ScheduleRow<SourceRecord> rows() {
    ScheduleRow<SourceRecord> rows = new ScheduleRow<>((InstantSource) () -> NOW);
    rows.configure(Map.of("mapping", "jobs"));
    return rows;
  }

  private static RunTimes<SourceRecord> runTimes(String idType) {
    RunTimes<SourceRecord> times = new RunTimes<>();
    times.configure(
        Map.of(
            "id.type", idType,
            "id.column", "id",
            "last_run.column", "last",
            "next_run.column", "next"));
    return times;
  }

  /** A change of a row, as Debezium or another source gives it: no record stops the connector. */
  @FuzzTest
  @DictionaryFile(resourcePath = "/io/waterclock/fuzz/connect.dict")
  void row(@NotNull String json) throws Exception {
    for (JsonConverter converter : List.of(PLAIN, WITH_SCHEMA)) {
      SchemaAndValue read;
      try {
        read = converter.toConnectData("rows", json.getBytes(StandardCharsets.UTF_8));
      } catch (RuntimeException refused) {
        continue; // Connect itself reports what its converter refuses
      }
      Object key = read.value() instanceof Struct ? "a" : Map.of("name", "a");
      SourceRecord record =
          new SourceRecord(
              null, null, "rows", 0, null, key, read.schema(), read.value(), NOW.toEpochMilli());
      SourceRecord made = Claims.bounded(json.length(), () -> ROWS.apply(record));
      if (made != null) {
        assertThat(made.topic()).isIn("waterclock.schedules", "waterclock.dlq");
        assertThat(made.timestamp()).isBetween(0L, NOW.toEpochMilli());
      }
    }
  }

  /** Values of fires and outcomes: a {@link DataException} or a flat struct, and its columns. */
  @FuzzTest
  @DictionaryFile(resourcePath = "/io/waterclock/fuzz/json.dict")
  void value(byte @NotNull [] value) throws Exception {
    flat(OUTCOMES, value);
    SchemaAndValue fire = flat(FIRES, value);
    if (fire.value() != null) {
      for (RunTimes<SourceRecord> times : RUN_TIMES) {
        SourceRecord made =
            times.apply(
                new SourceRecord(null, null, "fires", 0, null, "a", fire.schema(), fire.value()));
        if (made != null) {
          ((Struct) made.value()).validate();
        }
      }
    }
  }

  private static SchemaAndValue flat(FlatConverter<?> converter, byte[] value) throws Exception {
    try {
      SchemaAndValue read =
          Claims.bounded(value.length, () -> converter.toConnectData("topic", value));
      ((Struct) read.value()).validate();
      assertThat(read.schema().type()).isEqualTo(Schema.Type.STRUCT);
      return read;
    } catch (DataException e) {
      Claims.rejectedInOneLine(e);
      return SchemaAndValue.NULL;
    }
  }
}
