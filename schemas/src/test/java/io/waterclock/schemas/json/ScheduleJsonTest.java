package io.waterclock.schemas.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.waterclock.schemas.RandomRecords;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.BackoffGrowth;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.Overlap;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.RRuleTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Target;
import io.waterclock.schemas.avro.TargetValue;
import io.waterclock.schemas.avro.Unit;
import io.waterclock.schemas.text.Problems;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleJsonTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  @Test
  void each_trigger_has_its_form() {
    assertThat(trigger("{\"cron\":\"0 9 * * 1-5\"}")).isEqualTo(new CronTrigger("0 9 * * 1-5"));
    assertThat(trigger("{\"every\":\"PT5M\"}"))
        .isEqualTo(new EveryTrigger(5L, Unit.MINUTE, null, null));
    assertThat(trigger("{\"every\":\"30m\"}"))
        .isEqualTo(new EveryTrigger(30L, Unit.MINUTE, null, null));
    assertThat(trigger("{\"every\":\"1 month\",\"anchor\":\"2026-01-31T09:00:00Z\"}"))
        .isEqualTo(new EveryTrigger(1L, Unit.MONTH, Instant.parse("2026-01-31T09:00:00Z"), null));
    assertThat(trigger("{\"every\":\"1 day\",\"anchor\":\"2026-03-29T02:30\"}"))
        .isEqualTo(new EveryTrigger(1L, Unit.DAY, null, LocalDateTime.parse("2026-03-29T02:30")));
    assertThat(trigger("{\"rrule\":\"FREQ=DAILY\"}"))
        .isEqualTo(new RRuleTrigger("FREQ=DAILY", null, null));
    assertThat(
            trigger(
                "{\"rrule\":\"FREQ=DAILY\",\"anchor\":\"2026-01-30T09:00:00\",\"timezone\":\"Europe/Berlin\"}"))
        .isEqualTo(
            new RRuleTrigger("FREQ=DAILY", null, LocalDateTime.parse("2026-01-30T09:00:00")));
    assertThat(trigger("{\"at\":\"2026-12-24T18:00:00Z\"}")).isEqualTo(at("2026-12-24T18:00:00Z"));
    assertThat(trigger("{\"at\":\"now\"}")).isEqualTo(new OnceTrigger(null, 0L));
    assertThat(trigger("{\"in\":\"PT90S\"}")).isEqualTo(new OnceTrigger(null, 90_000L));
    assertThat(trigger("{\"in\":\"PT0S\"}")).isEqualTo(new OnceTrigger(null, 0L));
  }

  @Test
  void a_time_without_an_offset_is_in_the_records_zone_or_else_in_the_default() {
    assertThat(trigger("{\"at\":\"2026-12-24T18:00:00\",\"timezone\":\"America/New_York\"}"))
        .isEqualTo(at("2026-12-24T23:00:00Z"));
    ScheduleReading reading =
        ScheduleJson.read(
            bytes("{\"at\":\"2026-12-24T18:00:00\",\"skip\":[\"2026-07-01T00:00\"]}"), BERLIN);
    assertThat(reading.schedule().getTrigger()).isEqualTo(at("2026-12-24T17:00:00Z"));
    assertThat(reading.schedule().getSkip()).containsExactly(Instant.parse("2026-06-30T22:00:00Z"));
    assertThat(reading.schedule().getTimezone()).isNull();
  }

  @Test
  void what_is_left_out_holds_its_default() {
    Schedule schedule = valid("{\"every\":\"1h\"}");

    assertThat(schedule)
        .isEqualTo(
            Schedule.newBuilder().setTrigger(new EveryTrigger(1L, Unit.HOUR, null, null)).build());
    assertThat(valid("{\"every\":\"1h\",\"grace\":null,\"target\":null}")).isEqualTo(schedule);
  }

  @Test
  void all_fields_can_be_given() {
    Schedule schedule =
        valid(
"""
{"cron": "@daily", "timezone": "Europe/Berlin", "enabled": false, "catch_up": "replay",
 "grace": "2m", "catch_up_window": "P2D", "max_replay": 5, "start_at": "2026-01-01T00:00:00Z",
 "end_at": "2027-01-01T00:00:00Z", "max_occurrences": 7, "skip": ["2026-05-01T00:00:00Z"],
 "jitter": "30s", "overlap": "Buffer-One", "pause_after_failures": 3,
 "target": {"topic": "mail", "key": "k", "value": "payload"}, "type": "mail",
 "payload": {"to": "x@example.org", "n": [1, 2.50]}, "headers": {"h": "v"}, "queue": "q",
 "priority": -1, "owner": "team", "labels": {"a": "b"}, "description": "d",
 "timeout": "10m", "expires": "1d", "tolerance": "1s", "max_attempts": 2, "backoff": "1s",
 "backoff_growth": "constant", "report_all": true, "rearm": true,
 "except": ["nyse"], "only": ["weekdays"], "business_day": -1}
""");

    assertThat(schedule)
        .isEqualTo(
            Schedule.newBuilder()
                .setTrigger(new CronTrigger("@daily"))
                .setTimezone("Europe/Berlin")
                .setEnabled(false)
                .setCatchUp(CatchUp.REPLAY)
                .setGraceMs(120_000)
                .setCatchUpWindowMs(172_800_000L)
                .setMaxReplay(5)
                .setStartAt(Instant.parse("2026-01-01T00:00:00Z"))
                .setEndAt(Instant.parse("2027-01-01T00:00:00Z"))
                .setMaxOccurrences(7L)
                .setSkip(List.of(Instant.parse("2026-05-01T00:00:00Z")))
                .setJitterMs(30_000)
                .setOverlap(Overlap.BUFFER_ONE)
                .setPauseAfterFailures(3)
                .setTarget(new Target("mail", "k", TargetValue.PAYLOAD, null))
                .setType("mail")
                .setPayload(ByteBuffer.wrap(bytes("{\"to\":\"x@example.org\",\"n\":[1,2.50]}")))
                .setContentType("application/json")
                .setHeaders(Map.of("h", "v"))
                .setQueue("q")
                .setPriority(-1)
                .setOwner("team")
                .setLabels(Map.of("a", "b"))
                .setDescription("d")
                .setTimeoutMs(600_000L)
                .setExpiresMs(86_400_000L)
                .setToleranceMs(1_000L)
                .setMaxAttempts(2)
                .setBackoffMs(1_000)
                .setBackoffGrowth(BackoffGrowth.CONSTANT)
                .setReportAll(true)
                .setRearm(true)
                .setExcept(List.of("nyse"))
                .setOnly(List.of("weekdays"))
                .setBusinessDay(-1)
                .build());
    assertThat(
            valid(
                new String(
                    RecordCodecs.schedule().encode(schedule, WireFormat.JSON),
                    StandardCharsets.UTF_8)))
        .isEqualTo(schedule);
  }

  @Test
  void a_timeout_can_be_none() {
    Schedule schedule = valid("{\"every\":\"1h\",\"timeout\":\"None\"}");

    assertThat(schedule.getTimeoutMs()).isNull();
    assertThat(schedule.getTimeoutNone()).isTrue();
    assertThat(RecordCodecs.schedule().encode(schedule, WireFormat.JSON))
        .asString(StandardCharsets.UTF_8)
        .isEqualTo("{\"every\":\"PT1H\",\"timeout\":\"none\"}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '\u0001',
      value = {
        "{};; there is no trigger: one of cron, every, rrule, at and in must be given",
        "{\"cron\":\"* * * * *\",\"every\":\"5m\"};; both cron and every are given",
        "{\"cron\":\"* * * * *\",\"every\":\"5m\",\"at\":\"now\"};; all of cron and every and at"
            + " are given",
        "{\"cron\":5}; cron; is the number 5 where a cron expression must be",
        "{\"every\":300}; every; is the number 300 where an interval must be",
        "{\"every\":\"P1DT12H\"}; every; mixes calendar units",
        "{\"every\":\"0s\"}; every; is not above zero",
        "{\"at\":1766599200000}; at; is the number 1766599200000 where an ISO-8601 date and time"
            + " must be",
        "{\"at\":\"tomorrow\"}; at; \"tomorrow\" is not an ISO-8601 date and time",
        "{\"in\":\"-5s\"}; in; \"-5s\" is not a duration",
        "{\"cron\":\"@daily\",\"anchor\":\"2026-01-01T00:00:00Z\"}; anchor; goes with every and"
            + " rrule only",
        "{\"every\":\"1d\",\"anchor\":\"x\"}; anchor; \"x\" is not an ISO-8601 date and time",
        "{\"at\":\"now\",\"grace\":60}; grace; is the number 60 where a duration must be",
        "{\"at\":\"now\",\"timeout\":\"never\"}; timeout; \"never\" is not a duration",
        "{\"at\":\"now\",\"timeout\":0}; timeout; is the number 0 where a duration or \"none\" must"
            + " be",
        "{\"at\":\"now\",\"timeout_none\":true}; timeout_none; the nearest valid one is"
            + " \"timeout\"",
        "{\"at\":\"now\",\"backoff_growth\":\"constnt\"}; backoff_growth; is none of doubling,"
            + " constant",
        "{\"at\":\"now\",\"enabled\":\"yes\"}; enabled; is the text \"yes\" where true or false"
            + " must be",
        "{\"at\":\"now\",\"max_replay\":\"5\"}; max_replay; is the text \"5\" where a whole number"
            + " must be",
        "{\"at\":\"now\",\"max_replay\":1.5}; max_replay; is the number 1.5 where a whole number"
            + " must be",
        "{\"at\":\"now\",\"priority\":3000000000}; priority; is the number 3000000000, which is too"
            + " large",
        "{\"at\":\"now\",\"catch_up\":\"replai\"}; catch_up; \"replai\" is none of skip, collapse,"
            + " replay",
        "{\"at\":\"now\",\"timezone\":\"Europe/Berln\"}; timezone; the nearest one is"
            + " \"Europe/Berlin\"",
        "{\"at\":\"now\",\"skip\":\"x\"}; skip; is the text \"x\" where a list must be",
        "{\"at\":\"now\",\"skip\":[\"x\"]}; skip[0]; \"x\" is not an ISO-8601 date and time",
        "{\"at\":\"now\",\"labels\":{\"a\":1}}; labels.a; is the number 1 where a text must be",
        "{\"at\":\"now\",\"labels\":[]}; labels; is a list where an object must be",
        "{\"at\":\"now\",\"target\":{}}; target.topic; is missing",
        "{\"at\":\"now\",\"target\":{\"topic\":\"t\",\"vaule\":\"fire\"}}; target.vaule; nearest"
            + " valid one is \"value\"",
        "{\"at\":\"now\",\"payload\":1,\"payload_base64\":\"AA==\"}; payload; both payload and"
            + " payload_base64",
        "{\"at\":\"now\",\"payload_base64\":\"?\"}; payload_base64; is not base64",
        "{\"at\":\"now\",\"payload\":{},\"content_type\":\"text/plain\"}; payload; an object where"
            + " a text must be",
        "{\"at\":\"now\",\"at\":\"now\"}; at; is given twice (line 1, column",
        "{\"at\":\"now\"} x;; is not valid JSON",
        "{\"at\":\"now\"}{};; something follows the value",
        "{\"at\":;; is not valid JSON",
        "{\"at\":\"now\";; expected close marker for Object (line 1, column",
        "{\"at\":\"now\",\"zone\":\"UTC\"}; zone; the nearest valid one is \"timezone\"",
        "[];; is a list where an object must be",
        "' ';; is not valid JSON",
      })
  void a_problem_names_the_field_and_what_is_wrong(String json, String field, String message) {
    ScheduleReading reading = ScheduleJson.read(bytes(json), ZoneOffset.UTC);

    assertThat(reading.isValid()).isFalse();
    assertThat(reading.problems()).as("%s", reading.problems()).hasSize(1);
    assertThat(reading.problems().get(0).getField()).isEqualTo(field == null ? "" : field);
    assertThat(reading.problems().get(0).getMessage()).contains(message);
    assertThat(reading.problems().get(0).getExample()).isNotBlank();
  }

  @Test
  void a_problem_of_a_header_has_its_number_and_one_of_a_label_its_name() {
    assertThat(fields("{\"at\":\"now\",\"headers\":{\"a\":\"\",\"b\":1}}"))
        .containsExactly("headers[1]");
    assertThat(fields("{\"at\":\"now\",\"labels\":{\"a\":\"\",\"a\":\"\"}}"))
        .containsExactly("labels.a");
    assertThat(fields("{\"at\":\"now\",\"payload\":{\"a\":1,\"a\":2}}")).containsExactly("payload");
  }

  private static List<String> fields(String json) {
    return ScheduleJson.read(bytes(json), ZoneOffset.UTC).problems().stream()
        .map(Problem::getField)
        .toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"headers\":\"31415\"",
        "\"headers\":31415",
        "\"headers\":{\"key\":31415}",
        "\"payload_base64\":\"31415\"",
        "\"payload_base64\":31415",
        "\"payload\":31415,\"content_type\":\"text/plain\"",
        "\"payload\":{\"password\":x31415}",
        "\"payload\":{\"31415\":1,\"31415\":2}",
        "\"payload\":0031415",
        "\"headers\":{\"31415\":1}",
        "\"headers\":{\"31415\":\"\",\"31415\":\"\"}"
      })
  void a_problem_quotes_neither_payload_nor_headers(String secret) {
    ScheduleReading reading =
        ScheduleJson.read(bytes("{\"at\":\"now\"," + secret + "}"), ZoneOffset.UTC);

    assertThat(reading.problems()).hasSize(1);
    assertThat(reading.problems().toString()).doesNotContain("31415");
  }

  @Test
  void unknown_field_names_the_nearest_valid_one() {
    ScheduleReading reading = read("{\"at\":\"now\",\"time_zone\":\"UTC\"}");

    assertThat(Problems.text(reading.problems()))
        .isEqualTo(
            "time_zone: is an unknown field; the nearest valid one is \"timezone\";"
                + " for example \"timezone\": \"Europe/Berlin\"");
  }

  @Test
  void all_problems_are_found_at_once_and_broken_fields_hold_their_default() {
    ScheduleReading reading =
        read(
            "{\"cron\":1,\"every\":\"x\",\"grace\":\"x\",\"max_replay\":{},\"foo\":1,\"overlap\":2,"
                + "\"target\":{\"value\":3},\"owner\":\"me\",\"owner\":\"you\"}");

    assertThat(reading.problems().stream().map(p -> p.getField()))
        .containsExactly(
            "owner",
            "cron",
            "every",
            "",
            "grace",
            "max_replay",
            "overlap",
            "target.topic",
            "target.value",
            "foo");
    Schedule schedule = reading.schedule();
    assertThat(schedule.getTrigger()).isNull();
    assertThat(schedule.getGraceMs()).isEqualTo(60_000);
    assertThat(schedule.getMaxReplay()).isEqualTo(10_000);
    assertThat(schedule.getOverlap()).isEqualTo(Overlap.ALLOW);
    assertThat(schedule.getTarget()).isNull();
    assertThat(schedule.getOwner()).isEqualTo("you");
  }

  @Test
  void every_example_is_valid() {
    String all =
        "{\"ownr\":1,\"every\":1,\"anchor\":1,\"timezone\":1,\"enabled\":1,\"catch_up\":1,\"grace\":1,"
            + "\"catch_up_window\":1,\"max_replay\":\"\",\"start_at\":1,\"end_at\":1,"
            + "\"max_occurrences\":\"\",\"skip\":1,\"jitter\":1,\"overlap\":1,"
            + "\"pause_after_failures\":\"\",\"target\":1,\"type\":1,\"content_type\":1,"
            + "\"headers\":1,\"queue\":1,\"priority\":\"\",\"owner\":1,\"labels\":1,"
            + "\"description\":1,\"timeout\":1,\"expires\":1,\"tolerance\":1,\"max_attempts\":\"\","
            + "\"backoff\":1,\"backoff_growth\":1,\"report_all\":1,\"rearm\":1}";
    for (var problem : read(all).problems()) {
      String example = problem.getExample();
      boolean isTrigger = example.startsWith("\"every\"");
      String json = "{" + example + (isTrigger ? "}" : ",\"every\":\"1d\"}");
      assertThat(read(json).problems()).as(json).isEmpty();
    }
    assertThat(read(all).problems()).hasSize(32);
  }

  @Test
  void the_envelope_of_connect_is_one_problem_that_names_its_setting() {
    assertThat(read("{\"schema\":{\"type\":\"struct\"},\"payload\":{\"every\":\"5m\"}}").problems())
        .singleElement()
        .extracting(Problem::getMessage)
        .asString()
        .contains("Kafka Connect's JsonConverter", "value.converter.schemas.enable=false");
    assertThat(read("{\"schema\":1,\"payload\":2,\"every\":\"5m\"}").problems())
        .extracting(Problem::getField)
        .containsExactly("schema");
  }

  @Test
  void the_number_and_the_length_of_problems_are_bounded() {
    StringBuilder json = new StringBuilder("{\"at\":\"now\"");
    for (int i = 0; i < 20_000; i++) {
      json.append(",\"").append("x".repeat(40)).append("\\n".repeat(40)).append(i).append("\":1");
    }
    var problems = read(json + "}").problems();

    assertThat(problems).hasSize(Reading.MAX_PROBLEMS + 1);
    assertThat(problems.get(50).getMessage()).isEqualTo("and 19950 more problems");
    assertThat(problems.get(0).getField()).isEqualTo("x".repeat(40) + "\\n".repeat(10) + "...");
  }

  @Test
  void a_text_payload_of_another_type_is_its_utf8() {
    Schedule schedule =
        valid("{\"at\":\"now\",\"payload\":\"Grüße\",\"content_type\":\"text/plain\"}");

    assertThat(schedule.getPayload()).isEqualTo(ByteBuffer.wrap(bytes("Grüße")));
    assertThat(RecordCodecs.schedule().encode(schedule, WireFormat.JSON))
        .asString(StandardCharsets.UTF_8)
        .isEqualTo("{\"at\":\"now\",\"payload\":\"Grüße\",\"content_type\":\"text/plain\"}");
  }

  @Test
  void a_binary_payload_is_base64_and_has_no_type_of_its_own() {
    Schedule schedule = valid("{\"at\":\"now\",\"payload_base64\":\"AAEC\"}");

    assertThat(schedule.getPayload()).isEqualTo(ByteBuffer.wrap(new byte[] {0, 1, 2}));
    assertThat(schedule.getContentType()).isNull();
  }

  @Test
  void a_byte_order_mark_and_whitespace_are_skipped() {
    assertThat(valid("\uFEFF \r\n\t{\"at\":\"now\"}").getTrigger())
        .isEqualTo(new OnceTrigger(null, 0L));
    assertThat(RecordCodecs.schedule().decode(bytes("\uFEFF \n{\"at\":\"now\"}")).getTrigger())
        .isEqualTo(new OnceTrigger(null, 0L));
  }

  @Test
  void text_that_is_not_utf8_is_a_problem() {
    ScheduleReading reading =
        ScheduleJson.read(new byte[] {'{', '"', (byte) 0xC3, '"', '}'}, ZoneOffset.UTC);

    assertThat(Problems.text(reading.problems()))
        .contains("is not UTF-8 text (bytes 7b 22 c3 22 7d)");
  }

  @Test
  void depth_is_bounded() {
    String deep = "{\"at\":\"now\",\"payload\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}";

    assertThat(Problems.text(read(deep).problems())).contains("nesting depth");
  }

  @Test
  void a_deep_payload_stays_readable_inside_a_fire() {
    for (int depth : new int[] {150, 185, 198}) {
      String json = "{\"at\":\"now\",\"payload\":" + "[".repeat(depth) + "]".repeat(depth) + "}";
      var fire = new RandomRecords(1).next(RecordCodecs.fire());
      fire.setSchedule(valid(json));

      assertThat(RecordCodecs.fire().decode(RecordCodecs.fire().encode(fire, WireFormat.JSON)))
          .isEqualTo(fire);
    }
  }

  @Test
  void a_tree_reads_like_its_text() throws Exception {
    JsonNode tree =
        new ObjectMapper().readTree("{\"every\":\"5m\",\"payload\":{\"a\":[1,null]},\"gracee\":1}");
    ScheduleReading fromTree = ScheduleJson.read(tree, ZoneOffset.UTC);
    ScheduleReading fromText = read(tree.toString());

    assertThat(fromTree).isEqualTo(fromText);
  }

  @Test
  void writing_is_short() {
    assertThat(
            RecordCodecs.schedule()
                .encode(
                    valid("{\"every\":\"PT60M\",\"catch_up\":\"SKIP\",\"grace\":\"60s\"}"),
                    WireFormat.JSON))
        .asString(StandardCharsets.UTF_8)
        .isEqualTo("{\"every\":\"PT1H\",\"catch_up\":\"SKIP\"}");
  }

  private static ScheduleReading read(String json) {
    return ScheduleJson.read(bytes(json), ZoneOffset.UTC);
  }

  private static Schedule valid(String json) {
    ScheduleReading reading = read(json);
    assertThat(reading.problems()).as(json).isEmpty();
    return reading.schedule();
  }

  private static Object trigger(String json) {
    return valid(json).getTrigger();
  }

  private static OnceTrigger at(String instant) {
    return new OnceTrigger(Instant.parse(instant), null);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
