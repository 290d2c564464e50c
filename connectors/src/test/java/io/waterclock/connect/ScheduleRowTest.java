package io.waterclock.connect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.schemas.HeaderNames;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of custom tables: the effect of each setting. */
class ScheduleRowTest {
  private static final int ODD_ROWS = 1_500 * Integer.getInteger("waterclock.depth", 1);
  private static final Instant NOW = Instant.parse("2026-03-04T10:00:00Z");
  private static final long NOW_MS = NOW.toEpochMilli();

  private static ScheduleRow<SourceRecord> transformation(String... settings) {
    Map<String, String> all = new HashMap<>(Map.of("id.column", "id"));
    for (int i = 0; i < settings.length; i += 2) {
      all.put(settings[i], settings[i + 1]);
    }
    ScheduleRow<SourceRecord> row = new ScheduleRow<>((InstantSource) () -> NOW);
    row.configure(all);
    return row;
  }

  private static Map<String, @Nullable Object> row(@Nullable Object... namesAndValues) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("id", "a");
    for (int i = 0; i < namesAndValues.length; i += 2) {
      row.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
    }
    return row;
  }

  private static SourceRecord apply(
      ScheduleRow<SourceRecord> transformation, @Nullable Object value) {
    SourceRecord out =
        transformation.apply(
            new SourceRecord(Map.of(), Map.of(), "t", null, null, Map.of("id", "a"), null, value));
    if (out == null) {
      throw new AssertionError("nothing came out");
    }
    return out;
  }

  private static String definition(
      ScheduleRow<SourceRecord> transformation, @Nullable Object... row) {
    SourceRecord out = apply(transformation, row(row));
    assertThat(out.topic()).isEqualTo("waterclock.schedules");
    assertThat(out.key()).isEqualTo("a");
    return String.valueOf(out.value());
  }

  private static String refusal(ScheduleRow<SourceRecord> transformation, @Nullable Object... row) {
    SourceRecord out = apply(transformation, row(row));
    assertThat(out.topic()).isEqualTo("waterclock.dlq");
    assertThat(out.key()).isEqualTo("a");
    return String.valueOf(out.headers().lastWithName(HeaderNames.ERROR).value());
  }

  @Test
  void columns_say_what_they_are_named_for_and_constants_the_rest() {
    ScheduleRow<SourceRecord> mapping =
        transformation(
            "every.column",
            "n",
            "every.unit.column",
            "unit",
            "every.unit.value",
            "minutes",
            "labels.column",
            "tags",
            "grace.column",
            "grace_ms",
            "description.value",
            "from a table",
            "priority.column",
            "p",
            "timeout.value",
            "90s");
    assertThat(
            definition(
                mapping,
                "n",
                5,
                "unit",
                null,
                "tags",
                "{\"team\":\"x\"}",
                "grace_ms",
                1_500,
                "p",
                3))
        .isEqualTo(
            "{\"every\":\"5"
                + " minutes\",\"grace\":\"1500ms\",\"priority\":3,\"labels\":{\"team\":\"x\"},\"description\":\"from"
                + " a table\",\"timeout\":\"90s\"}");
    assertThat(definition(mapping, "n", "2", "unit", "hours")).contains("\"every\":\"2 hours\"");
    assertThat(definition(mapping, "n", "1h30m")).contains("\"every\":\"1h30m\"");
  }

  @Test
  void the_cron_of_workflows_and_tasks_is_that_of_croniter() {
    ScheduleRow<SourceRecord> workflows = transformation("mapping", "workflows");
    assertThat(
            definition(
                workflows,
                "workflow_id",
                "w",
                "schedule_type",
                "cron",
                "schedule_expr",
                "0 0 */13 * 5",
                "status",
                "active"))
        .contains("\"cron\":\"0 0 */13 * 5\",\"dialect\":\"croniter\"");
    ScheduleRow<SourceRecord> tasks = transformation("mapping", "tasks");
    assertThat(definition(tasks, "kind", "cron", "cron_expr", "0 0 */13 * 5", "paused", false))
        .contains("\"cron\":\"0 0 */13 * 5\",\"dialect\":\"croniter\"");
  }

  @Test
  void the_dialect_of_a_table_belongs_to_its_rows_with_cron() {
    ScheduleRow<SourceRecord> mapping =
        transformation("cron.column", "c", "every.column", "n", "dialect.value", "quartz");
    assertThat(definition(mapping, "c", "0 0 9 ? * 2-6", "n", null))
        .isEqualTo("{\"cron\":\"0 0 9 ? * 2-6\",\"dialect\":\"quartz\"}");
    assertThat(definition(mapping, "c", null, "n", "5m")).isEqualTo("{\"every\":\"5m\"}");
  }

  @ParameterizedTest
  @CsvSource({
    "true,,,false",
    "false,,,true",
    "1,,,false",
    "0,,,true",
    "no,,,true",
    ",true,,true",
    ",false,,false",
    ",,live,false",
    ",,LIVE,false",
    ",,dead,true",
    "true,true,live,true",
    "true,false,live,false",
  })
  void any_of_three_columns_can_pause(
      @Nullable String enabled,
      @Nullable String paused,
      @Nullable String status,
      boolean isPaused) {
    ScheduleRow<SourceRecord> mapping =
        status == null
            ? transformation("cron.value", "@daily", "enabled.column", "e", "paused.column", "p")
            : transformation(
                "cron.value",
                "@daily",
                "enabled.column",
                "e",
                "paused.column",
                "p",
                "status.column",
                "s",
                "status.enabled",
                "live");
    assertThat(definition(mapping, "e", enabled, "p", paused, "s", status))
        .isEqualTo("{\"cron\":\"@daily\"" + (isPaused ? ",\"enabled\":false}" : "}"));
  }

  @Test
  void payloads_are_json_or_text_or_bytes() {
    ScheduleRow<SourceRecord> json = transformation("cron.value", "@daily", "payload.column", "p");
    assertThat(definition(json, "p", "{\"a\": 1.50}")).contains("\"payload\":{\"a\":1.50}");
    assertThat(definition(json, "p", 7)).contains("\"payload\":7");
    assertThat(definition(json, "p", new byte[] {1, 2})).contains("\"payload_base64\":\"AQI=\"");
    for (String broken : List.of("{oops", "1e99999999999", "{} {}")) {
      assertThat(refusal(json, "p", broken)).startsWith("payload (column p) is not JSON");
    }
    ScheduleRow<SourceRecord> text =
        transformation("cron.value", "@daily", "payload.column", "p", "payload.as", "text");
    assertThat(definition(text, "p", "{oops"))
        .contains("\"payload\":\"{oops\",\"content_type\":\"text/plain\"");
  }

  @ParameterizedTest
  @CsvSource({
    "UTC,2026-03-04T10:00:00Z",
    "Europe/Berlin,2026-03-04T09:00:00Z",
    "row,2026-03-04T15:00:00Z"
  })
  void local_times_are_in_the_configured_zone_or_the_rows(String zone, String expected) {
    ScheduleRow<SourceRecord> mapping =
        transformation("at.column", "t", "timezone.column", "z", "local.times", zone);
    for (String time : new String[] {"2026-03-04 10:00:00", "2026-03-04T10:00:00"}) {
      assertThat(definition(mapping, "t", time, "z", "America/New_York"))
          .contains("\"at\":\"" + expected + "\"");
    }
    assertThat(definition(mapping, "t", "2026-03-04T10:00:00+05:00", "z", "America/New_York"))
        .contains("\"at\":\"2026-03-04T05:00:00Z\"");
    assertThat(definition(mapping, "t", 1_772_618_400_000L, "z", "America/New_York"))
        .contains("\"at\":\"2026-03-04T10:00:00Z\"");
  }

  @Test
  void all_errors_are_reported_at_once() {
    ScheduleRow<SourceRecord> mapping =
        transformation(
            "every.column",
            "n",
            "priority.column",
            "p",
            "timezone.column",
            "z",
            "grace.column",
            "g");
    assertThat(refusal(mapping, "n", 5, "p", "high"))
        .contains("every (column n) is the number \"5\", but its unit is not known")
        .contains("priority (column p) is \"high\" where a number must be");
    assertThat(refusal(mapping, "n", "fortnightly", "g", "long"))
        .contains("every (column n) \"fortnightly\" is not an interval")
        .contains("grace (column g) \"long\" is not a duration");
    assertThat(refusal(mapping, "n", "5m", "z", "Europe/Berlim"))
        .contains("timezone (column z)")
        .contains("Europe/Berlin");
    assertThat(refusal(mapping))
        .isEqualTo("the row has no trigger: one of column n must have a value");
  }

  /** By the scheduler's own rules: none of these would be accepted. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "FREQ=SOMETIMES;rrule (column r)",
        "FREQ=DAILY|COUNT=0;rrule (column r)",
        "FREQ=YEARLY|BYMONTHDAY=30|BYMONTH=2;rrule (column r)",
      })
  void a_recurrence_rule_that_is_wrong_or_never_occurs_makes_a_bad_row(
      String rule, String expected) {
    ScheduleRow<SourceRecord> mapping = transformation("rrule.column", "r");
    assertThat(refusal(mapping, "r", rule.replace('|', ';'))).contains(expected);
    assertThat(definition(mapping, "r", "FREQ=MONTHLY;BYDAY=-1FR"))
        .isEqualTo("{\"rrule\":\"FREQ=MONTHLY;BYDAY=-1FR\"}");
  }

  @Test
  void a_row_without_exactly_one_trigger_is_refused() {
    ScheduleRow<SourceRecord> free = transformation("every.column", "n", "cron.column", "c");
    assertThat(refusal(free, "n", "5m", "c", "@daily"))
        .isEqualTo("the row has 2 triggers, in column c and column n; exactly one is right");
    ScheduleRow<SourceRecord> kinds =
        transformation(
            "kind.column",
            "k",
            "kind.values",
            "once:at,each:every",
            "every.column",
            "n",
            "at.column",
            "t");
    assertThat(refusal(kinds, "k", "weekly"))
        .isEqualTo("kind (column k) is \"weekly\"; one of each, once is right");
    assertThat(refusal(kinds, "k", null, "n", "5m"))
        .isEqualTo("kind (column k) is empty; one of each, once is right");
    assertThat(refusal(kinds, "k", "once", "n", "5m"))
        .isEqualTo("at (column t) is empty, but the row's kind is \"once\"");
    assertThat(definition(kinds, "k", "Each", "n", "5m")).isEqualTo("{\"every\":\"5m\"}");
  }

  @Test
  void a_value_that_the_database_does_not_log_is_never_used() {
    ScheduleRow<SourceRecord> mapping =
        transformation("cron.value", "@daily", "payload.column", "p", "payload.as", "text");
    assertThat(refusal(mapping, "p", "__debezium_unavailable_value"))
        .contains("REPLICA IDENTITY FULL");
  }

  @Test
  void records_without_an_envelope_are_read_too() {
    ScheduleRow<SourceRecord> mapping = transformation("at.column", "t");
    SourceRecord gone = apply(mapping, null);
    assertThat(gone.key()).isEqualTo("a");
    assertThat(gone.value()).isNull();
    assertThat(apply(mapping, row("t", "now", "__deleted", "true")).value()).isNull();
    SourceRecord inserted =
        apply(mapping, row("t", "now", "__op", "c", "__source_ts_ms", 1_772_618_000_000L));
    assertThat(inserted.timestamp()).isEqualTo(1_772_618_000_000L);
    assertThat(inserted.headers().lastWithName(HeaderNames.IMPORT)).isNull();
    assertThat(apply(mapping, row("t", "now")).headers().lastWithName(HeaderNames.IMPORT))
        .isNotNull();
  }

  @Test
  void a_definition_that_is_too_large_for_a_record_is_refused_with_the_beginning_of_its_row() {
    ScheduleRow<SourceRecord> mapping =
        transformation(
            "cron.value",
            "@daily",
            "payload.column",
            "p",
            "payload.as",
            "text",
            "max.bytes",
            "2000");
    assertThat(definition(mapping, "p", "x".repeat(1_000))).contains("xxx");
    SourceRecord out = apply(mapping, row("p", "\u20ac".repeat(1_000)));
    assertThat(out.topic()).isEqualTo("waterclock.dlq");
    assertThat(String.valueOf(out.headers().lastWithName(HeaderNames.ERROR).value()))
        .startsWith("the definition has 3")
        .contains("max.bytes allows 2000");
    assertThat(String.valueOf(out.value()).getBytes(UTF_8)).hasSizeLessThanOrEqualTo(2_000);
  }

  @Test
  void a_change_from_a_clock_ahead_is_one_of_now() {
    ScheduleRow<SourceRecord> mapping = transformation("cron.value", "@daily");
    SourceRecord ahead = apply(mapping, row("__op", "c", "__source_ts_ms", NOW_MS + 7_200_000));
    assertThat(ahead.timestamp()).isEqualTo(NOW_MS);
    assertThat(apply(mapping, row("__op", "c", "__source_ts_ms", -1L)).topic())
        .isEqualTo("waterclock.dlq");
  }

  @ParameterizedTest
  @ValueSource(strings = {"jobs", "polls", "workflows", "tasks"})
  void no_row_stops_the_connector(String mapping) {
    ScheduleRow<SourceRecord> rows = new ScheduleRow<>((InstantSource) () -> NOW);
    rows.configure(Map.of("mapping", mapping));
    SplittableRandom random = new SplittableRandom(20_260_304);
    Map<String, Integer> ends = new HashMap<>();
    for (int i = 0; i < ODD_ROWS; i++) {
      SourceRecord record = new OddRows(random.split(), mapping).record();
      assertThat(rows.apply(record))
          .as("row %s: %s", i, record)
          .satisfies(out -> ends.merge(out.topic(), 1, Integer::sum))
          .satisfies(out -> assertThat(out.timestamp()).isBetween(0L, NOW_MS));
    }
    assertThat(ends.keySet())
        .isSubsetOf("waterclock.schedules", "waterclock.dlq", "waterclock.commands");
    assertThat(ends.get("waterclock.schedules")).isGreaterThan(ODD_ROWS / 10);
    assertThat(ends.get("waterclock.dlq")).isGreaterThan(ODD_ROWS / 10);
  }

  private static SourceRecord event(
      ScheduleRow<SourceRecord> transformation,
      @Nullable Object key,
      String op,
      @Nullable Object before,
      @Nullable Object after) {
    Map<String, @Nullable Object> event = new HashMap<>();
    event.put("op", op);
    event.put("before", before);
    event.put("after", after);
    SourceRecord out =
        transformation.apply(
            new SourceRecord(Map.of(), Map.of(), "t", null, null, key, null, event));
    if (out == null) {
      throw new AssertionError("nothing came out");
    }
    return out;
  }

  private static String refusal(SourceRecord out) {
    assertThat(out.topic()).isEqualTo("waterclock.dlq");
    return String.valueOf(out.headers().lastWithName(HeaderNames.ERROR).value());
  }

  /** A renamed row contains only its new name, so no row of such a table is accepted. */
  @Test
  void a_row_whose_id_is_not_in_its_key_is_refused_each_time_until_that_is_fixed() {
    ScheduleRow<SourceRecord> mapping = transformation("cron.value", "@daily");
    Map<String, Object> key = Map.of("nr", 1L);
    Map<String, Object> old = Map.of("nr", 1L, "id", "a");
    Map<String, Object> renamed = Map.of("nr", 1L, "id", "b");
    List<SourceRecord> refused =
        List.of(
            event(mapping, key, "r", null, old),
            event(mapping, key, "c", null, old),
            event(mapping, key, "u", old, renamed),
            event(mapping, key, "u", null, renamed),
            event(mapping, key, "u", renamed, renamed),
            event(mapping, null, "c", null, old));
    assertThat(refused)
        .allSatisfy(
            out ->
                assertThat(refusal(out))
                    .contains("column id is not part of the record's key")
                    .contains("message.key.columns"));
    SourceRecord gone = event(mapping, key, "d", renamed, null);
    assertThat(gone.topic()).isEqualTo("waterclock.schedules");
    assertThat(gone.key()).isEqualTo("b");
    assertThat(gone.value()).isNull();
  }

  @Test
  void an_update_without_the_row_before_it_is_refused_unless_its_id_is_the_primary_key() {
    Map<String, Object> key = Map.of("id", "a");
    ScheduleRow<SourceRecord> mapping = transformation("cron.value", "@daily");
    assertThat(refusal(event(mapping, key, "u", null, key)))
        .contains("does not contain the row before the change")
        .contains("REPLICA IDENTITY FULL")
        .contains("id.is.primary.key=true");
    assertThat(event(mapping, key, "u", key, key).topic()).isEqualTo("waterclock.schedules");
    assertThat(event(mapping, key, "c", null, key).topic()).isEqualTo("waterclock.schedules");
    ScheduleRow<SourceRecord> primary =
        transformation("cron.value", "@daily", "id.is.primary.key", "true");
    assertThat(event(primary, key, "u", null, key).topic()).isEqualTo("waterclock.schedules");
  }

  @Test
  void a_changed_id_and_a_delete_without_one_are_refused() {
    ScheduleRow<SourceRecord> mapping = transformation("cron.value", "@daily");
    Map<String, Object> key = Map.of("id", "a");
    assertThat(refusal(event(mapping, key, "u", Map.of("id", "b"), key)))
        .isEqualTo(
            "the id was changed from \"b\" to \"a\" in one change; delete the row and insert it"
                + " again");
    assertThat(refusal(event(mapping, Map.of("id", "b"), "u", key, key)))
        .isEqualTo("the record's key names \"b\", and the row \"a\"");
    ScheduleRow<SourceRecord> other = transformation("cron.value", "@daily", "id.column", "name");
    assertThat(refusal(apply(other, null))).contains("REPLICA IDENTITY FULL");
    Map<String, @Nullable Object> truncated = new HashMap<>();
    truncated.put("op", "t");
    truncated.put("after", null);
    assertThat(apply(mapping, truncated).topic()).isEqualTo("waterclock.dlq");
  }

  /**
   * As Debezium writes it with {@code skipped.operations=none}: without a key and without a row.
   */
  @Test
  void a_truncate_is_a_dead_letter_that_names_the_event_and_the_remedy_and_stops_nothing() {
    Schema row = SchemaBuilder.struct().field("id", Schema.STRING_SCHEMA).optional().build();
    Schema source = SchemaBuilder.struct().field("ts_ms", Schema.INT64_SCHEMA).build();
    Schema envelope =
        SchemaBuilder.struct()
            .field("before", row)
            .field("after", row)
            .field("source", source)
            .field("op", Schema.STRING_SCHEMA)
            .build();
    Struct truncate =
        new Struct(envelope).put("source", new Struct(source).put("ts_ms", NOW_MS)).put("op", "t");
    ScheduleRow<SourceRecord> mapping = transformation("cron.value", "@daily");
    SourceRecord out =
        mapping.apply(
            new SourceRecord(Map.of(), Map.of(), "t", null, null, null, envelope, truncate));
    if (out == null) {
      throw new AssertionError("nothing came out");
    }
    assertThat(out.topic()).isEqualTo("waterclock.dlq");
    assertThat(out.key()).isNull();
    assertThat(String.valueOf(out.value())).contains("\"op\":\"t\"");
    assertThat(String.valueOf(out.headers().lastWithName(HeaderNames.ERROR).value()))
        .contains("TRUNCATE")
        .contains("waterclock delete --owner");
    assertThat(out.headers().lastWithName(HeaderNames.ORIGIN_TOPIC).value()).isEqualTo("t");
    assertThat(apply(mapping, row()).topic()).isEqualTo("waterclock.schedules");
  }

  @Test
  void an_invalid_id_is_refused_with_a_valid_example() {
    ScheduleRow<SourceRecord> mapping = transformation("cron.value", "@daily");
    for (Object id : new Object[] {" a", "_", "x".repeat(256), new byte[] {1}, "\ud800"}) {
      Map<String, Object> row = Map.of("id", id);
      assertThat(refusal(event(mapping, row, "c", null, row))).as("%s", id).isNotEmpty();
    }
    Map<String, Object> huge = Map.of("id", " ".repeat(1_000_000));
    assertThat(refusal(event(mapping, huge, "c", null, huge))).contains("1000000 characters");
    Map<String, Object> row = Map.of("id", "_a");
    assertThat(refusal(event(mapping, row, "c", null, row))).contains("set id.prefix");
    ScheduleRow<SourceRecord> prefixed =
        transformation("cron.value", "@daily", "id.prefix", "jobs/");
    assertThat(event(prefixed, row, "c", null, row).key()).isEqualTo("jobs/_a");
    Map<String, Object> empty = Map.of("id", "");
    assertThat(refusal(event(prefixed, empty, "c", null, empty))).contains("has no id");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "id.prefix;a b/;schedule id",
        "mapping;cars;String must be one of",
        "id.column;;id.column is missing",
        "kind.values;once;must be value:meaning",
        "kind.values;once:payload;one of cron, every, rrule and at is right",
        "payload.as;xml;String must be one of: json, text",
        "local.times;Mars;is not a time zone",
        "prefix;a b;topic prefix",
      })
  void a_wrong_setting_says_what_is_right(String key, String value, String expected) {
    assertThatThrownBy(() -> transformation(key, value == null ? "" : value))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(expected);
  }
}
