package io.waterclock.client.schedules;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.CatchUp;
import io.waterclock.schemas.avro.Dialect;
import io.waterclock.schemas.avro.OnExcluded;
import io.waterclock.schemas.avro.OnResume;
import io.waterclock.schemas.avro.Overlap;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.TargetValue;
import io.waterclock.schemas.avro.Unit;
import io.waterclock.schemas.json.ScheduleJson;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Builders against the JSON form, which says the same. */
final class ScheduleBuilderTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  static Stream<Arguments> triggers() {
    return Stream.of(
        Arguments.of(ScheduleBuilder.cron("0 9 * * 1-5"), "\"cron\":\"0 9 * * 1-5\""),
        Arguments.of(ScheduleBuilder.every(Duration.ofMinutes(5)), "\"every\":\"5m\""),
        Arguments.of(ScheduleBuilder.every(Duration.ofDays(1)), "\"every\":\"24h\""),
        Arguments.of(ScheduleBuilder.every("90s"), "\"every\":\"90s\""),
        Arguments.of(
            ScheduleBuilder.every(1, Unit.MONTH).anchor(NOON),
            "\"every\":\"1 month\",\"anchor\":\"2026-11-21T12:00:00Z\""),
        Arguments.of(
            ScheduleBuilder.rrule("FREQ=MONTHLY;BYDAY=-1FR").anchor(NOON),
            "\"rrule\":\"FREQ=MONTHLY;BYDAY=-1FR\",\"anchor\":\"2026-11-21T12:00:00Z\""),
        Arguments.of(
            ScheduleBuilder.once(NOON.plusNanos(999_999)), "\"at\":\"2026-11-21T12:00:00Z\""),
        Arguments.of(ScheduleBuilder.after(Duration.ZERO), "\"at\":\"now\""),
        Arguments.of(ScheduleBuilder.after(Duration.ofSeconds(90)), "\"in\":\"PT90S\""));
  }

  @ParameterizedTest
  @MethodSource("triggers")
  void a_trigger_is_what_the_json_form_says(ScheduleBuilder builder, String json) {
    assertThat(builder.build()).isEqualTo(read("{" + json + "}"));
  }

  @Test
  void every_field_can_be_set() {
    Schedule built = everything().build();
    assertThat(built)
        .isEqualTo(
            read(
                """
                {"cron":"@daily","dialect":"spring","timezone":"Europe/Berlin","enabled":false,"catch_up":"replay",
                 "grace":"5s","catch_up_window":"6h","max_replay":10,
                 "start_at":"2026-11-21T12:00:00Z","end_at":"2026-11-22T12:00:00Z",
                 "max_occurrences":12,"skip":["2026-11-21T12:00:00Z"],"jitter":"1s",
                 "overlap":"buffer_one","pause_after_failures":3,
                 "target":{"topic":"orders","key":"k","value":"payload"},"type":"report",
                 "payload":{"a":1},"headers":{"h":"1","i":"2"},"queue":"slow","priority":7,"limit":"etl",
                 "owner":"acme","labels":{"team":"a"},"description":"text","timeout":"1m",
                 "expires":"2m","tolerance":"3s","max_attempts":2,"backoff":"4s",
                 "backoff_growth":"constant","report_all":true,"rearm":true,
                 "except":["holidays","weekends"],"on_excluded":"next_working_day","only":["trading-days"],"business_day":-1,
                 "on_resume":"fire_once",
                 "expect":{"started_within":"1m","succeeded_within":"1h","succeeded_every":"25h",
                           "contact":"#acme","runbook":"https://acme.example.com"}}
                """));
    Schedule bare = ScheduleBuilder.cron("@hourly").build();
    Set<String> left =
        Schedule.getClassSchema().getFields().stream()
            .filter(field -> built.get(field.pos()) == null || same(built, bare, field))
            .map(Schema.Field::name)
            .collect(Collectors.toSet());
    assertThat(left)
        .as("fields that no builder method has set, but for the one that excludes timeout_ms")
        .containsExactly("timeout_none");
  }

  private static boolean same(Schedule one, Schedule other, Schema.Field field) {
    return one.get(field.pos()).equals(other.get(field.pos()));
  }

  private static ScheduleBuilder everything() {
    return ScheduleBuilder.cron("@daily", Dialect.SPRING)
        .timezone("Europe/Berlin")
        .disabled()
        .onResume(OnResume.FIRE_ONCE)
        .catchUp(CatchUp.REPLAY)
        .grace(Duration.ofSeconds(5))
        .catchUpWindow(Duration.ofHours(6))
        .maxReplay(10)
        .startAt(NOON)
        .endAt(NOON.plus(Duration.ofDays(1)))
        .maxOccurrences(12)
        .skip(NOON)
        .except("holidays")
        .except("weekends", "holidays")
        .only("trading-days")
        .limit("etl")
        .businessDay(-1)
        .onExcluded(OnExcluded.NEXT_WORKING_DAY)
        .jitter(Duration.ofSeconds(1))
        .overlap(Overlap.BUFFER_ONE)
        .pauseAfterFailures(3)
        .expectStartedWithin(Duration.ofMinutes(1))
        .expectSucceededWithin(Duration.ofHours(1))
        .expectSucceededEvery(Duration.ofHours(25))
        .alertTo("#acme", "https://acme.example.com")
        .target("orders", "k", TargetValue.PAYLOAD)
        .type("report")
        .payloadJson("{\"a\":1}")
        .header("h", "1")
        .header("i", "2")
        .queue("slow")
        .priority(7)
        .owner("acme")
        .label("team", "a")
        .description("text")
        .timeout(Duration.ofMinutes(1))
        .expires(Duration.ofMinutes(2))
        .tolerance(Duration.ofSeconds(3))
        .maxAttempts(2)
        .constantBackoff(Duration.ofSeconds(4))
        .reportAll()
        .rearm();
  }

  @Test
  void to_expect_nothing_is_not_to_say_nothing() {
    assertThat(ScheduleBuilder.cron("@daily").expectNothing().build())
        .isEqualTo(read("{\"cron\":\"@daily\",\"expect\":{}}"))
        .isNotEqualTo(read("{\"cron\":\"@daily\"}"));
  }

  @Test
  void a_timeout_and_no_timeout_exclude_each_other() {
    assertThat(ScheduleBuilder.cron("@daily").timeout(Duration.ofMinutes(1)).noTimeout().build())
        .isEqualTo(read("{\"cron\":\"@daily\",\"timeout\":\"none\"}"));
    assertThat(ScheduleBuilder.cron("@daily").noTimeout().timeout(Duration.ofMinutes(1)).build())
        .isEqualTo(read("{\"cron\":\"@daily\",\"timeout\":\"1m\"}"));
  }

  @Test
  void an_existing_definition_can_be_changed_and_the_original_stays_the_same() {
    Schedule before = everything().build();
    Schedule after = ScheduleBuilder.from(before).enabled().label("team", "b").build();
    assertThat(before).isEqualTo(everything().build());
    assertThat(after.getEnabled()).isTrue();
    assertThat(after.getLabels()).containsEntry("team", "b");
    assertThat(after.getPayload()).isEqualTo(before.getPayload());
  }

  @Test
  void a_built_definition_does_not_change_with_its_builder() {
    ScheduleBuilder builder = ScheduleBuilder.cron("@daily").owner("acme");
    Schedule built = builder.build();
    builder.owner("other");
    assertThat(built.getOwner()).isEqualTo("acme");
  }

  @Test
  void a_payload_has_its_media_type() {
    assertThat(ScheduleBuilder.cron("@daily").payloadText("tea").build().getContentType())
        .isEqualTo("text/plain");
    Schedule bytes =
        ScheduleBuilder.cron("@daily").payload("x".getBytes(UTF_8), "application/pdf").build();
    assertThat(bytes.getContentType()).isEqualTo("application/pdf");
    assertThat(RecordCodecs.schedule().toJson(bytes).path("payload_base64").asText())
        .isEqualTo("eA==");
  }

  static Stream<Arguments> wrong() {
    Duration minus = Duration.ofSeconds(-1);
    return Stream.of(
        wrong("grace PT-1S must be at least PT0S", b -> b.grace(minus)),
        wrong(
            "expectSucceededWithin PT0S must be at least PT0.001S",
            b -> b.expectSucceededWithin(Duration.ZERO)),
        wrong("catchUpWindow PT-1S must be", b -> b.catchUpWindow(minus)),
        wrong("maxReplay 0 must be at least 1", b -> b.maxReplay(0)),
        wrong("maxOccurrences 0 must be at least 1", b -> b.maxOccurrences(0)),
        wrong(
            "jitter PT0.0000005S must be whole milliseconds", b -> b.jitter(Duration.ofNanos(500))),
        wrong("pauseAfterFailures 0", b -> b.pauseAfterFailures(0)),
        wrong("timeout PT0S must be at least PT0.001S", b -> b.timeout(Duration.ZERO)),
        wrong("expires PT0S", b -> b.expires(Duration.ZERO)),
        wrong("tolerance PT-1S", b -> b.tolerance(minus)),
        wrong("maxAttempts 0", b -> b.maxAttempts(0)),
        wrong("backoff PT-1S", b -> b.backoff(minus)),
        wrong("the nearest one is \"Europe/Berlin\"", b -> b.timezone("Europe/Berlim")),
        wrong("the payload is not valid JSON", b -> b.payloadJson("{\"a\":")),
        wrong("the payload is not valid JSON", b -> b.payloadJson("1 2")),
        wrong("endAt 2026-11-21T12:00:00Z must be after startAt", b -> b.startAt(NOON).endAt(NOON)),
        wrong(
            "timeout none does not go with overlap SKIP", b -> b.noTimeout().overlap(Overlap.SKIP)),
        wrong("every PT0S must be at least PT0.001S", b -> ScheduleBuilder.every(Duration.ZERO)),
        wrong("every 0 must be at least 1", b -> ScheduleBuilder.every(0, Unit.DAY)),
        wrong("\"often\" is not an interval", b -> ScheduleBuilder.every("often")),
        wrong("in PT-1S", b -> ScheduleBuilder.after(minus)));
  }

  private static Arguments wrong(String told, UnaryOperator<ScheduleBuilder> use) {
    return Arguments.of(told, use);
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void errors_that_need_no_scheduler_are_refused_with_a_valid_example(
      String told, UnaryOperator<ScheduleBuilder> use) {
    assertThatThrownBy(() -> use.apply(ScheduleBuilder.cron("@daily")).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(told)
        .hasMessageContaining("for example");
  }

  private static Schedule read(String json) {
    var reading = ScheduleJson.read(json.getBytes(UTF_8), ZoneOffset.UTC);
    assertThat(reading.problems()).isEmpty();
    return reading.schedule();
  }
}
