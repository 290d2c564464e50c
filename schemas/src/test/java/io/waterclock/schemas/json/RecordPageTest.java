package io.waterclock.schemas.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.RRuleTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.json.ValueForm.EnumForm;
import io.waterclock.schemas.json.ValueForm.ListForm;
import io.waterclock.schemas.json.ValueForm.MapForm;
import io.waterclock.schemas.json.ValueForm.ScalarForm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Makes the table of fields in docs/record.md from the schema and from what reads JSON. After a
 * change of either, write it with {@code mvn -pl schemas test -Dtest=RecordPageTest
 * -Dwaterclock.writePages=true}.
 */
final class RecordPageTest {
  private static final Path PAGE = Path.of("..", "docs", "record.md");
  private static final String BEGIN = "<!-- fields: made by RecordPageTest -->\n";
  private static final String END = "<!-- end of fields -->\n";
  private static final List<String> TRIGGERS = List.of("cron", "every", "rrule", "at", "in");

  /** Where the examples of error messages are too general for a reference. */
  private static final Map<String, String> EXAMPLES =
      Map.ofEntries(
          Map.entry("enabled", "false"),
          Map.entry("catch_up", "\"replay\""),
          Map.entry("grace", "\"5m\""),
          Map.entry("catch_up_window", "\"PT12H\""),
          Map.entry("max_replay", "100"),
          Map.entry("start_at", "\"2026-12-01T00:00:00\""),
          Map.entry("end_at", "\"2027-01-01T00:00:00Z\""),
          Map.entry("max_occurrences", "12"),
          Map.entry("skip", "[\"2026-12-24T18:00:00Z\"]"),
          Map.entry("jitter", "\"30s\""),
          Map.entry("overlap", "\"buffer_one\""),
          Map.entry("pause_after_failures", "3"),
          Map.entry("target", "{\"topic\": \"orders.reminders\", \"value\": \"payload\"}"),
          Map.entry("target.topic", "\"orders.reminders\""),
          Map.entry("target.key", "\"42\""),
          Map.entry("target.value", "\"payload\""),
          Map.entry("type", "\"report\""),
          Map.entry("headers", "{\"tenant\": \"acme\"}"),
          Map.entry("queue", "\"slow\""),
          Map.entry("priority", "-1"),
          Map.entry("limit", "\"etl\""),
          Map.entry("owner", "\"billing\""),
          Map.entry("labels", "{\"team\": \"billing\"}"),
          Map.entry("description", "\"the daily report\""),
          Map.entry("timeout", "\"10m\""),
          Map.entry("expires", "\"1h\""),
          Map.entry("tolerance", "\"10s\""),
          Map.entry("max_attempts", "10"),
          Map.entry("backoff", "\"0.2s\""),
          Map.entry("backoff_growth", "\"constant\""),
          Map.entry("except", "[\"holidays\"]"),
          Map.entry("on_excluded", "\"next_working_day\""),
          Map.entry("only", "[\"trading-days\"]"),
          Map.entry("business_day", "-1"),
          Map.entry("on_resume", "\"fire_once\""),
          Map.entry("dialect", "\"quartz\""),
          Map.entry("expect", "{\"succeeded_within\": \"1h\", \"contact\": \"#reports\"}"),
          Map.entry("expect.started_within", "\"5m\""),
          Map.entry("expect.succeeded_within", "\"1h\""),
          Map.entry("expect.succeeded_every", "\"25h\""),
          Map.entry("expect.contact", "\"#reports\""),
          Map.entry("expect.runbook", "\"https://wiki.example.com/reports\""));

  /** One row of the table. */
  private record Row(String name, String type, String fallback, String example, String meaning) {
    String text() {
      return "| `%s` | %s | %s | `%s` | %s |\n".formatted(name, type, fallback, example, meaning);
    }

    /** A record with the example, and with what it needs besides. */
    String record() {
      String field = "\"%s\": %s".formatted(name.replaceFirst(".*\\.", ""), example);
      if (name.equals("target.topic")) {
        return "{\"every\": \"1h\", \"target\": {%s}}".formatted(field);
      }
      if (name.startsWith("target.record.")) {
        return "{\"every\": \"1h\", \"target\": {\"topic\": \"orders\", \"record\": {%s}}}"
            .formatted(field);
      }
      if (name.startsWith("expect.")) {
        return "{\"every\": \"1h\", \"expect\": {%s}}".formatted(field);
      }
      if (name.startsWith("target.")) {
        return "{\"every\": \"1h\", \"target\": {\"topic\": \"orders\", %s}}".formatted(field);
      }
      return TRIGGERS.contains(name)
          ? "{%s}".formatted(field)
          : "{\"every\": \"1h\", %s}".formatted(field);
    }
  }

  @Test
  void the_page_has_the_fields_of_the_schema() throws IOException {
    String page = Files.readString(PAGE);
    int begin = page.indexOf(BEGIN) + BEGIN.length();
    int end = page.indexOf(END);
    if (Boolean.getBoolean("waterclock.writePages")) {
      Files.writeString(PAGE, page.substring(0, begin) + table() + page.substring(end));
      return;
    }
    assertThat(page.substring(begin, end))
        .as("the fields changed: see the comment of this test")
        .isEqualTo(table());
  }

  @ParameterizedTest
  @MethodSource("rows")
  void the_example_of_a_field_is_valid(Row row) {
    ScheduleReading reading =
        ScheduleJson.read(row.record().getBytes(StandardCharsets.UTF_8), ZoneOffset.UTC);
    assertThat(reading.problems()).as(row.record()).isEmpty();
  }

  @Test
  void every_field_has_a_meaning() {
    assertThat(rows().filter(row -> row.meaning().isBlank()).map(Row::name)).isEmpty();
  }

  private static String table() {
    return "| field | type | default | example | meaning |\n|---|---|---|---|---|\n"
        + rows().map(Row::text).collect(Collectors.joining());
  }

  static Stream<Row> rows() {
    List<Row> rows = new ArrayList<>();
    rows(RecordForms.of(Schedule.SCHEMA$), "", rows);
    return rows.stream();
  }

  private static void rows(RecordForm form, String prefix, List<Row> rows) {
    for (Member member : form.members()) {
      for (String name : member.names()) {
        String path = prefix + name;
        Optional<Schema.Field> field = field(form.schema(), name);
        rows.add(
            new Row(
                path,
                type(member, name),
                field.map(RecordPageTest::fallback).orElse(""),
                EXAMPLES.getOrDefault(path, member.example(name)),
                meaning(name, field)));
        if (member instanceof FieldMember of && of.form() instanceof RecordForm inner) {
          rows(inner, path + ".", rows);
        }
      }
    }
  }

  /** Of the field, or of its type. */
  private static String doc(Schema.Field field) {
    return Optional.ofNullable(field.doc())
        .or(() -> Optional.ofNullable(RecordForms.required(field.schema()).getDoc()))
        .orElse("");
  }

  private static Optional<Schema.Field> field(Schema record, String name) {
    return Stream.of(name, name + "_ms").map(record::getField).filter(f -> f != null).findFirst();
  }

  private static String type(Member member, String name) {
    if (member instanceof FieldMember field) {
      return type(field.form());
    }
    return switch (name) {
      case "at" -> "instant, or `now`";
      case "anchor" -> "instant";
      case "in" -> type(TextForm.DURATION_MS);
      case "every" -> "interval";
      case "timeout" -> "duration, or `none`";
      case "payload" -> "any JSON";
      default -> "text";
    };
  }

  private static String type(ValueForm form) {
    if (form instanceof EnumForm symbols) {
      return symbols.constants().keySet().stream()
          .map(symbol -> "`" + symbol + "`")
          .collect(Collectors.joining(", "));
    }
    if (form instanceof ListForm list) {
      return "list: " + type(list.item());
    }
    if (form instanceof MapForm map) {
      return "object: " + type(map.value());
    }
    if (form instanceof ScalarForm scalar) {
      return scalar.kind().replace("a whole", "whole");
    }
    if (form instanceof TextForm text) {
      return text.equals(TextForm.INSTANT) ? "instant" : text.kind().replaceFirst("^an? ", "");
    }
    return "object";
  }

  /** As JSON has it; nothing where a field is absent by default. */
  private static String fallback(Schema.Field field) {
    if (!field.hasDefaultValue()) {
      return "required";
    }
    Object value = SpecificData.get().getDefaultValue(field);
    if (value == null || value.equals(List.of()) || value.equals(Map.of())) {
      return "";
    }
    String text =
        field.name().endsWith("_ms")
            ? TextForm.DURATION_MS.toText().apply(value)
            : value.toString().toLowerCase(Locale.ROOT);
    return "`" + text + "`";
  }

  private static String meaning(String name, Optional<Schema.Field> field) {
    String text =
        switch (name) {
          case "cron" -> CronTrigger.SCHEMA$.getField("expression").doc();
          case "rrule" -> RRuleTrigger.SCHEMA$.getField("rule").doc();
          case "at" -> OnceTrigger.SCHEMA$.getField("at").doc();
          case "every" -> EveryTrigger.SCHEMA$.getDoc();
          case "anchor" ->
              EveryTrigger.SCHEMA$.getField("anchor").doc()
                  + " For rrule: what iCalendar calls DTSTART.";
          case "in" ->
              "Fires once, this long after the timestamp of the record that first defined it.";
          case "key_base64" -> "The record key, as bytes. Without it: null, apart from empty.";
          case "payload_base64" -> "The payload as bytes, in place of `payload`.";
          default -> field.map(RecordPageTest::doc).orElse("");
        };
    return text.replace("; see timeout_none", "; `none`: no limit")
        .replace("Null, without a local_anchor: ", "Without it: ")
        .replace("Null: ", "Without it: ")
        .replace("For workers: ", "*Workers:* ")
        .replace("|", "\\|");
  }
}
