package io.waterclock.schemas.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Dialect;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.RRuleTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.text.Problems;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronExtensionTest {
  private static final String SAME =
      """
      @every 5m                                  | {"every":"PT5M"}
      '  @EVERY  1h30m '                         | {"every":"PT1H30M"}
      CRON_TZ=Europe/Berlin 0 9 * * *            | {"cron":"0 9 * * *","timezone":"Europe/Berlin"}
      TZ=Europe/Berlin 0 9 * * *                 | {"cron":"0 9 * * *","timezone":"Europe/Berlin"}
      TZ=Europe/Berlin @daily                    | {"cron":"@daily","timezone":"Europe/Berlin"}
      rate(5 minutes)                            | {"every":"PT5M"}
      'Rate( 2 days )'                           | {"every":"PT48H"}
      rate(1 minute)                             | {"every":"PT1M"}
      rate(1 hour)                               | {"every":"PT1H"}
      rate(1 day)                                | {"every":"PT24H"}
      CRON_TZ=Asia/Tokyo @every 1 day            | {"every":"P1D","timezone":"Asia/Tokyo"}
      0 9 * * *                                  | {"cron":"0 9 * * *"}
      """;

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = SAME)
  void what_people_bring_along_in_json_is_read_as_our_fields(String cron, String ours) {
    assertThat(read("{\"cron\":\"" + cron + "\"}")).isEqualTo(read(ours));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = SAME)
  void what_was_built_or_came_in_avro_is_translated_to_the_same(String cron, String ours) {
    Schedule schedule = Schedule.newBuilder().setTrigger(new CronTrigger(cron)).build();
    ScheduleJson.translate(schedule);
    assertThat(schedule).isEqualTo(read(ours));
  }

  /** The line end that YAML's | leaves behind a text. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "'cron':'0 9 * * *%s'",
        "'cron':'@daily%s'",
        "'cron':'TZ=Europe/Berlin 0 9 * * *%s'",
        "'cron':'rate(5 minutes)%s'",
        "'cron':'0 0 9 ? * 2-6','dialect':'quartz%s'",
        "'cron':'0 9 * * *','timezone':'Europe/Berlin%s'",
        "'cron':'0 9 * * *','start_at':'2026-01-01T00:00%s','timezone':'Europe/Berlin%s'",
        "'rrule':'FREQ=DAILY%s'",
        "'rrule':'FREQ=DAILY','anchor':'2026-01-01T00:00%s'",
        "'every':'5m%s'",
        "'at':'2027-01-01T09:00:00Z%s'",
        "'in':'90s%s'",
        "'every':'5m','catch_up':'skip%s','grace':'60s%s'"
      })
  void space_around_a_text_is_no_part_of_it(String form) {
    String json = ("{" + form + "}").replace('\'', '"');
    Schedule plain = read(json.replace("%s", ""));
    assertThat(read(json.replace("%s", "\\n"))).isEqualTo(plain);
    assertThat(read(json.replace("%s", " \\t\\r\\n"))).isEqualTo(plain);
  }

  @Test
  void space_around_a_text_goes_from_what_was_built_or_came_in_avro() {
    Schedule cron =
        Schedule.newBuilder()
            .setTrigger(new CronTrigger("\n@daily\n"))
            .setTimezone("Europe/Berlin\n")
            .build();
    ScheduleJson.translate(cron);
    assertThat(cron).isEqualTo(read("{\"cron\":\"@daily\",\"timezone\":\"Europe/Berlin\"}"));
    Schedule rule =
        Schedule.newBuilder().setTrigger(new RRuleTrigger("FREQ=DAILY\n", null, null)).build();
    ScheduleJson.translate(rule);
    assertThat(rule).isEqualTo(read("{\"rrule\":\"FREQ=DAILY\"}"));
  }

  @Test
  void what_is_written_again_is_in_our_words() {
    byte[] written =
        RecordCodecs.schedule()
            .encode(read("{\"cron\":\"TZ=Asia/Tokyo 0 9 * * *\"}"), WireFormat.JSON);
    assertThat(new String(written, UTF_8))
        .contains("\"cron\":\"0 9 * * *\"")
        .contains("\"timezone\":\"Asia/Tokyo\"");
  }

  @Test
  void times_without_an_offset_are_in_the_zone_of_the_expression() {
    assertThat(read("{\"cron\":\"TZ=Asia/Tokyo 0 9 * * *\",\"start_at\":\"2026-01-01T00:00\"}"))
        .isEqualTo(
            read(
                "{\"cron\":\"0 9 * * *\",\"timezone\":\"Asia/Tokyo\","
                    + "\"start_at\":\"2026-01-01T00:00\"}"));
  }

  @Test
  void the_same_zone_twice_is_right_and_two_zones_are_not() {
    assertThat(problems("{\"cron\":\"TZ=UTC 0 9 * * *\",\"timezone\":\"UTC\"}")).isEmpty();
    assertThat(problems("{\"cron\":\"TZ=Asia/Tokyo 0 9 * * *\",\"timezone\":\"UTC\"}"))
        .singleElement()
        .asString()
        .startsWith("cron: names the time zone \"Asia/Tokyo\", and the field timezone another one");
    Schedule built =
        Schedule.newBuilder()
            .setTrigger(new CronTrigger("TZ=Asia/Tokyo 0 9 * * *"))
            .setTimezone("UTC")
            .build();
    ScheduleJson.translate(built);
    assertThat(built.getTrigger()).as("is refused as it is").isInstanceOf(CronTrigger.class);
    assertThat(built.getTimezone()).isEqualTo("UTC");
  }

  @Test
  void what_cannot_be_read_names_the_field_that_it_is_for() {
    assertThat(problems("{\"cron\":\"@every 5 fish\"}"))
        .singleElement()
        .asString()
        .startsWith("every: \"5 fish\" is not an interval");
    assertThat(problems("{\"cron\":\"TZ=Nowhere 0 9 * * *\"}"))
        .singleElement()
        .asString()
        .startsWith("timezone: ");
    assertThat(problems("{\"cron\":\"@every 5m\",\"every\":\"5m\"}"))
        .singleElement()
        .asString()
        .contains("both cron and every are given");
    assertThat(read("{\"cron\":\"@every 5m\"}").getTrigger()).isInstanceOf(EveryTrigger.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0 9 * * * Europe/Berlin              | 0 9 * * *   | Europe/Berlin
          30 0 9 * * * America/Argentina/Salta | 30 0 9 * * * | America/Argentina/Salta
          @daily Asia/Tokyo                    | @daily      | Asia/Tokyo
          0 9 * * 1-5 UTC                      | 0 9 * * 1-5 | UTC
          """)
  void a_zone_at_the_end_is_that_of_fugit(String cron, String rest, String zone) {
    Schedule expected =
        read("{\"cron\":\"%s\",\"timezone\":\"%s\",\"dialect\":\"fugit\"}".formatted(rest, zone));
    assertThat(read("{\"cron\":\"%s\",\"dialect\":\"fugit\"}".formatted(cron))).isEqualTo(expected);
    Schedule built =
        Schedule.newBuilder().setTrigger(new CronTrigger(cron)).setDialect(Dialect.FUGIT).build();
    ScheduleJson.translate(built);
    assertThat(built).isEqualTo(expected);
    assertThat(read("{\"cron\":\"%s\"}".formatted(cron)).getTrigger())
        .as("without the dialect")
        .isEqualTo(new CronTrigger(cron));
    assertThat(
            problems(
                "{\"cron\":\"%s\",\"dialect\":\"fugit\",\"timezone\":\"Asia/Seoul\"}"
                    .formatted(cron)))
        .singleElement()
        .asString()
        .contains("names the time zone");
  }

  @Test
  void an_interval_has_no_dialect() {
    assertThat(read("{\"cron\":\"rate(1 hour)\",\"dialect\":\"aws\"}"))
        .isEqualTo(read("{\"every\":\"PT1H\"}"));
    Schedule built =
        Schedule.newBuilder()
            .setTrigger(new CronTrigger("rate(1 hour)"))
            .setDialect(Dialect.AWS)
            .build();
    ScheduleJson.translate(built);
    assertThat(built).isEqualTo(read("{\"every\":\"PT1H\"}"));
  }

  private static Schedule read(String json) {
    ScheduleReading reading = ScheduleJson.read(json.getBytes(UTF_8), ZoneOffset.UTC);
    assertThat(reading.problems()).isEmpty();
    return reading.schedule();
  }

  private static List<String> problems(String json) {
    return ScheduleJson.read(json.getBytes(UTF_8), ZoneOffset.UTC).problems().stream()
        .map(Problems::text)
        .toList();
  }
}
