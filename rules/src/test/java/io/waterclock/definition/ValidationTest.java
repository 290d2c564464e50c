package io.waterclock.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.occurrences.core.Effort;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Schedule;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ValidationTest {
  private static final Instant NOW = Instant.parse("2026-03-04T10:00:00Z");

  private final Validation validation = new Validation(Duration.ofSeconds(1), ZoneOffset.UTC);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "FREQ=DAILY | 1000000 | ",
        "FREQ=DAILY | 1000001 | is more than 1000000; use end_at",
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE | 2000 | ",
        "FREQ=SECONDLY;INTERVAL=1487;BYSECOND=7,28,35,39;BYMINUTE=4,6,17,53,56 | 10 | ",
        "FREQ=SECONDLY;INTERVAL=1487;BYSECOND=7,28,35,39;BYMINUTE=4,6,17,53,56 | 1000000"
            + " | 1000000 occurrences take too long to count for this rule; use end_at"
      })
  void max_occurrences_must_be_countable(String rule, long most, String problem) {
    String json = "{\"rrule\":\"" + rule + "\",\"max_occurrences\":" + most + "}";
    Schedule schedule =
        validation.normalise(RecordCodecs.schedule().decode(json.getBytes(StandardCharsets.UTF_8)));
    assertThat(validation.problems("a", schedule, List.of(), NOW, Set.of()))
        .extracting(Problem::getMessage)
        .isEqualTo(problem == null ? List.of() : List.of(problem));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'every':'1m'} | ",
        "{'every':'59s'} | every: is shorter than the shortest interval allowed to acme/"
            + " (owner.limits, min.interval), PT1M",
        "{'cron':'* * * * *'} | ",
        "{'cron':'0,30 * * * * *'} | cron: occurs at 2026-03-04T10:00:30Z and at"
            + " 2026-03-04T10:01:00Z, which is shorter than the shortest interval allowed to acme/"
            + " (owner.limits, min.interval), PT1M",
        "{'cron':'59 0 23 * * *'} | ",
        "{'cron':'0,59 0 0 29 2 *'} | cron: occurs at 2028-02-29T00:00:00Z and at"
            + " 2028-02-29T00:00:59Z, which is shorter than the shortest interval allowed to acme/"
            + " (owner.limits, min.interval), PT1M",
        "{'rrule':'FREQ=MINUTELY'} | ",
        "{'rrule':'FREQ=SECONDLY;INTERVAL=7;COUNT=2'} | rrule: occurs at 2026-03-04T10:00:07Z and"
            + " at 2026-03-04T10:00:14Z, which is shorter than the shortest interval allowed to"
            + " acme/ (owner.limits, min.interval), PT1M",
        "{'at':'now'} | "
      })
  void occurrences_must_be_as_far_apart_as_the_owner_is_held_to(String json, String problem) {
    MinInterval minute = new MinInterval(Duration.ofMinutes(1), Optional.of("acme/"));
    Validation held = new Validation(minute, ZoneOffset.UTC, Effort.unlimited());
    byte[] value = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    Schedule schedule = held.normalise(RecordCodecs.schedule().decode(value));
    assertThat(held.problems("a", schedule, List.of(), NOW, Set.of()))
        .extracting(found -> found.getField() + ": " + found.getMessage())
        .isEqualTo(problem == null ? List.of() : List.of(problem));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'in':'1h','rearm':true} | ",
        "{'at':'now','rearm':true} | ",
        "{'every':'1h','rearm':true} | ",
        "{'at':'2026-01-01T00:00:00Z','rearm':true} | ",
        "{'every':'1h','anchor':'2026-01-01T00:00:00Z','rearm':true} | rearm: goes with in and at,"
            + " and with every and rrule without an anchor; this trigger is the same whenever it is"
            + " written",
        "{'cron':'@daily','rearm':true} | rearm: goes with in and at, and with every and rrule"
            + " without an anchor; this trigger is the same whenever it is written",
        "{'every':'1h','timeout':'none'} | ",
        "{'every':'1h','expect':{}} | ",
        "{'every':'1h','expect':{'succeeded_within':'5m','contact':'#a'}} | ",
        "{'every':'1h','expect':{'contact':'#a'}} | expect: names whom to alert, but expects"
            + " nothing",
        "{'every':'1h','expect':{'started_within':'0s'}} | expect.started_within: is 0; it must be"
            + " at least 1",
        "{'every':'1h','timeout':'none','pause_after_failures':3} | ",
        "{'every':'1h','timeout':'7d','overlap':'skip'} | ",
        "{'every':'1h','timeout':'none','overlap':'skip'} | timeout: is none, but overlap skip"
            + " waits for the end of a run, and a run that reports nothing would never end; say how"
            + " long a run may take at most",
        "{'every':'1h','timeout':'none','overlap':'buffer-one'} | timeout: is none, but overlap"
            + " buffer_one waits for the end of a run, and a run that reports nothing would never"
            + " end; say how long a run may take at most",
      })
  void what_does_not_go_together_is_told(String json, String problem) {
    byte[] value = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    Schedule schedule = validation.normalise(RecordCodecs.schedule().decode(value));
    assertThat(validation.problems("a", schedule, List.of(), NOW, Set.of()))
        .extracting(found -> found.getField() + ": " + found.getMessage())
        .isEqualTo(problem == null ? List.of() : List.of(problem));
  }

  @Test
  void what_cron_says_in_other_words_is_kept_as_our_fields_and_so_changes_nothing() {
    Schedule avro =
        Schedule.newBuilder()
            .setTrigger(new CronTrigger("CRON_TZ=Europe/Berlin @every 5m"))
            .build();
    Schedule ours =
        RecordCodecs.schedule()
            .decode(
                "{\"every\":\"5m\",\"timezone\":\"Europe/Berlin\"}"
                    .getBytes(StandardCharsets.UTF_8));
    assertThat(validation.normalise(avro)).isEqualTo(validation.normalise(ours));
  }

  @Test
  void a_timeout_is_not_both_none_and_a_length() {
    Schedule schedule =
        validation.normalise(
            RecordCodecs.schedule().decode("{\"every\":\"1h\"}".getBytes(StandardCharsets.UTF_8)));
    schedule.setTimeoutNone(true);
    schedule.setTimeoutMs(5L);
    assertThat(validation.problems("a", schedule, List.of(), NOW, Set.of()))
        .extracting(found -> found.getField() + ": " + found.getMessage())
        .containsExactly("timeout: is both none and 5 ms");
  }

  @Test
  void a_schedule_has_at_most_five_hundred_headers() {
    Schedule schedule =
        validation.normalise(
            RecordCodecs.schedule().decode("{\"every\":\"1h\"}".getBytes(StandardCharsets.UTF_8)));
    for (int i = 1; i <= 500; i++) {
      schedule.getHeaders().put("h" + i, "");
    }
    assertThat(validation.problems("a", schedule, List.of(), NOW, Set.of())).isEmpty();
    schedule.getHeaders().put("h501", "");
    assertThat(validation.problems("a", schedule, List.of(), NOW, Set.of()))
        .extracting(found -> found.getField() + ": " + found.getMessage())
        .containsExactly("headers: has 501 entries; at most 500");
  }
}
