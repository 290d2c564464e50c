package io.waterclock.decide.whatif;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.decide.model.Pause;
import io.waterclock.decide.model.Written;
import io.waterclock.definition.CalendarVersion;
import io.waterclock.definition.Calendars;
import io.waterclock.definition.Validation;
import io.waterclock.occurrences.Zones;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.DateRange;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.Weekday;
import io.waterclock.schemas.json.ScheduleJson;
import io.waterclock.schemas.json.ScheduleReading;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WhatIfTest {
  private static final Instant ACCEPTED = Instant.parse("2026-03-01T00:00:00Z");
  private static final Instant NOW = Instant.parse("2026-03-20T12:00:00Z");
  private static final TimeFrame WEEK = new TimeFrame(NOW, NOW.plus(Duration.ofDays(7)));
  private static final Side PLAIN = Side.of(Calendars.NONE);
  private static final String ID = "billing/report";

  static Schedule schedule(String json) {
    ScheduleReading reading =
        ScheduleJson.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8), ZoneOffset.UTC);
    assertThat(reading.problems()).isEmpty();
    return new Validation(Duration.ofMillis(1), ZoneOffset.UTC).normalise(reading.schedule());
  }

  private static Plan inForce(String json) {
    return asOld(Plan.accepted(ID, schedule(json), ACCEPTED, PLAIN));
  }

  /** The plan as the topics show it after its acceptance. */
  private static Plan asOld(Plan plan) {
    return Plan.inForce(
        plan.id(),
        Revision.newBuilder()
            .setScheduleId(plan.id())
            .setRevision("waterclock.schedules-0@1")
            .setSchedule(plan.schedule())
            .setOwnsAfter(plan.state().current().ownsAfter())
            .setEffectiveAt(ACCEPTED)
            .setAcceptedAt(ACCEPTED)
            .setResolvedAt(plan.resolvedAt().orElse(null))
            .setBoundedBy(plan.endsAt().orElse(null))
            .setTzdb("2026a")
            .build(),
        ScheduleStatus.newBuilder()
            .setScheduleId(plan.id())
            .setState(plan.state().life())
            .setSince(ACCEPTED)
            .build());
  }

  private static String lines(ScheduleDifference difference) {
    StringBuilder lines = new StringBuilder();
    for (OccurrenceChange change : difference.changes()) {
      lines
          .append(change.kind().name().toLowerCase(java.util.Locale.ROOT))
          .append(change.before().map(one -> " " + one.due()).orElse(""))
          .append(change.after().map(one -> " " + one.due()).orElse(""))
          .append('\n');
    }
    return lines.toString();
  }

  private static ScheduleDifference edit(String before, String after) {
    Plan old = inForce(before);
    Plan edited = old.edited(schedule(after), NOW, PLAIN);
    return new WhatIf(PLAIN, PLAIN, WEEK, 1_000).compare(ID, Optional.of(old), Optional.of(edited));
  }

  @Test
  void an_edit_of_the_hour_moves_one_occurrence_a_day() {
    ScheduleDifference difference = edit("{'cron':'0 15 * * *'}", "{'cron':'0 16 * * *'}");

    assertThat(difference.count(OccurrenceChange.Kind.MOVED)).isEqualTo(7);
    assertThat(difference.changes()).hasSize(7);
    assertThat(lines(difference)).startsWith("moved 2026-03-20T15:00:00Z 2026-03-20T16:00:00Z\n");
  }

  @Test
  void a_calendar_that_leaves_out_every_occurrence_removes_those_of_the_window() {
    Calendar mondays = Calendar.newBuilder().setWeekdays(List.of(Weekday.MON)).build();
    Calendars calendars =
        Calendars.NONE.with(
            Map.of(
                "mondays",
                List.of(
                    new CalendarVersion(
                        0, Instant.EPOCH, Optional.empty(), Optional.of(mondays)))));
    Plan old = inForce("{'cron':'0 9 * * MON'}");
    Plan edited = old.edited(schedule("{'cron':'0 9 * * MON','except':['mondays']}"), NOW, PLAIN);
    ScheduleDifference difference =
        new WhatIf(PLAIN, Side.of(calendars), WEEK, 1_000)
            .compare(ID, Optional.of(old), Optional.of(edited));

    assertThat(lines(difference)).isEqualTo("removed 2026-03-23T09:00:00Z\n");
    assertThat(difference.comparedUntil()).isEmpty();
  }

  @Test
  void an_edit_to_another_zone_moves_what_keeps_its_wall_clock_time() {
    ScheduleDifference difference =
        edit(
            "{'cron':'0 23 * * *','timezone':'UTC'}",
            "{'cron':'0 23 * * *','timezone':'America/New_York'}");

    assertThat(lines(difference))
        .startsWith("moved 2026-03-20T23:00:00Z 2026-03-21T03:00:00Z\n")
        .doesNotContain("added");
  }

  @Test
  void occurrences_of_both_definitions_are_no_difference() {
    ScheduleDifference difference = edit("{'cron':'0 0 * * *'}", "{'cron':'0 0,12 * * *'}");

    assertThat(difference.count(OccurrenceChange.Kind.ADDED)).isEqualTo(6);
    assertThat(difference.changes()).hasSize(6);
    assertThat(difference.firesBefore()).isEqualTo(7);
    assertThat(difference.firesAfter()).isEqualTo(13);
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{'cron':'0 0 * * *'}                  | {'cron':'0 0 * * *','payload':1}             | 0",
        "{'cron':'0 0 * * *'}                  | {'cron':'0 0 * * *','enabled':false}         | 7",
        "{'cron':'0 0 * * *','enabled':false}  | {'cron':'0 0 * * *'}                         | 7",
        "{'cron':'0 0 * * *'}           | {'cron':'0 0 * * *','end_at':'2026-03-22T00:00:00Z'}   |"
            + " 6",
        "{'cron':'0 0 * * *'}           | {'cron':'0 0 * * *','start_at':'2026-03-22T00:00:00Z'} |"
            + " 1",
        "{'cron':'0 0 * * *'}           | {'cron':'0 0 * * *','max_occurrences':2}            | 5",
        "{'cron':'0 0 * * *'}           | {'cron':'0 0 * * *','skip':['2026-03-24T00:00:00Z']}   |"
            + " 1",
        "{'every':'1d'}                 | {'every':'1d','timezone':'Europe/Berlin'}              |"
            + " 0",
        "{'every':'1 day'}              | {'every':'1 day','priority':3}                         |"
            + " 0",
        "{'at':'2026-03-22T00:00:00Z'}  | {'at':'2026-03-23T00:00:00Z'}                          |"
            + " 2",
        "{'at':'2026-03-22T00:00:00Z'}  | {'at':'2026-03-22T06:00:00Z'}                          |"
            + " 1",
        "{'at':'2026-03-02T00:00:00Z'}  | {'at':'2026-03-02T00:00:00Z','priority':3}             |"
            + " 0",
        "{'at':'2026-03-22T00:00:00Z'}  | {'at':'2026-03-22T00:00:00Z','jitter':'1h'}            |"
            + " 1",
      })
  void edits_change_as_many_occurrences(String before, String after, int changes) {
    assertThat(edit(before, after).changes()).as(lines(edit(before, after))).hasSize(changes);
  }

  @Test
  void an_equal_trigger_keeps_its_anchor_and_another_one_counts_from_the_edit() {
    assertThat(edit("{'every':'3d'}", "{'every':'3d','priority':2}").isEmpty()).isTrue();
    assertThat(lines(edit("{'every':'3d'}", "{'every':'4d'}")))
        .isEqualTo(
            """
            removed 2026-03-22T00:00:00Z
            added 2026-03-24T12:00:00Z
            removed 2026-03-25T00:00:00Z
            """);
  }

  @Test
  void a_new_once_in_the_past_fires_now() {
    Plan plan = Plan.accepted(ID, schedule("{'at':'2026-01-01T00:00:00Z'}"), NOW, PLAIN);

    ScheduleDifference difference =
        new WhatIf(PLAIN, PLAIN, WEEK, 10).compare(ID, Optional.empty(), Optional.of(plan));

    assertThat(lines(difference)).isEqualTo("added " + NOW + "\n");
  }

  @Test
  void a_once_that_has_fired_does_not_fire_again_after_an_edit_of_other_fields() {
    Plan old = inForce("{'at':'2026-01-01T00:00:00Z'}");

    assertThat(old.state().current().ownsAfter()).isBefore(ACCEPTED);
    assertThat(
            edit("{'at':'2026-01-01T00:00:00Z'}", "{'at':'2026-01-01T00:00:00Z','queue':'x'}")
                .isEmpty())
        .isTrue();
  }

  @Test
  void a_schedule_that_a_command_pauses_stays_paused_through_an_edit() {
    Plan old = inForce("{'cron':'0 0 * * *'}");
    Pause pause = new Pause(NOW, new Written(NOW, "c"), Optional.empty(), Optional.empty(), false);
    Plan paused = new Plan(old.state().with(old.state().commanded().paused(pause)), false);
    Plan edited = paused.edited(schedule("{'cron':'0 1 * * *'}"), NOW, PLAIN);

    assertThat(
            new WhatIf(PLAIN, PLAIN, WEEK, 10)
                .compare(ID, Optional.of(paused), Optional.of(edited))
                .isEmpty())
        .isTrue();
  }

  @Test
  void an_occurrence_that_waits_for_its_jitter_stays_with_the_definition_before_the_edit() {
    Instant justAfter = Instant.parse("2026-03-20T00:00:01Z");
    TimeFrame window = new TimeFrame(justAfter, justAfter.plus(Duration.ofDays(2)));
    Plan old = inForce("{'cron':'0 0 * * *','jitter':'12h'}");
    Plan edited =
        old.edited(schedule("{'cron':'0 0 * * *','jitter':'12h','priority':1}"), justAfter, PLAIN);

    ScheduleDifference difference =
        new WhatIf(PLAIN, PLAIN, window, 10).compare(ID, Optional.of(old), Optional.of(edited));

    assertThat(difference.isEmpty()).isTrue();
    assertThat(difference.firesBefore()).isEqualTo(2);
  }

  @Test
  void a_calendar_removes_and_moves_occurrences() {
    Calendar holiday =
        Calendar.newBuilder()
            .setDates(
                List.of(
                    new DateRange(LocalDate.parse("2026-03-23"), LocalDate.parse("2026-03-24"))))
            .build();
    Side after = Side.of(calendars(holiday));
    Plan skipping = inForce("{'cron':'0 9 * * *','except':['h']}");
    Plan moving = inForce("{'cron':'0 9 * * MON','except':['h'],'on_excluded':'next_working_day'}");
    Plan other = inForce("{'cron':'0 9 * * *'}");
    WhatIf whatIf = new WhatIf(PLAIN, after, WEEK, 100);

    assertThat(lines(whatIf.compare(ID, Optional.of(skipping), Optional.of(skipping))))
        .isEqualTo("removed 2026-03-23T09:00:00Z\nremoved 2026-03-24T09:00:00Z\n");
    assertThat(lines(whatIf.compare(ID, Optional.of(moving), Optional.of(moving))))
        .isEqualTo("moved 2026-03-23T09:00:00Z 2026-03-25T09:00:00Z\n");
    assertThat(whatIf.compare(ID, Optional.of(other), Optional.of(other)).isEmpty()).isTrue();
  }

  private static Calendars calendars(Calendar calendar) {
    return Calendars.NONE.with(
        Map.of(
            "h",
            List.of(new CalendarVersion(0, ACCEPTED, Optional.empty(), Optional.of(calendar)))));
  }

  @Test
  void another_rule_of_a_zone_moves_what_keeps_its_wall_clock_time() {
    Function<String, ZoneId> zones =
        name -> name.equals("Europe/Berlin") ? ZoneId.of("Europe/London") : Zones.parse(name);
    Side after = new Side(Calendars.NONE, zones);
    Plan plan = inForce("{'cron':'30 2 * * *','timezone':'Europe/Berlin'}");
    TimeFrame days = new TimeFrame(NOW, Instant.parse("2026-03-31T00:00:00Z"));

    ScheduleDifference difference =
        new WhatIf(PLAIN, after, days, 100).compare(ID, Optional.of(plan), Optional.of(plan));

    assertThat(difference.count(OccurrenceChange.Kind.MOVED)).isEqualTo(10);
    assertThat(lines(difference))
        .contains("moved 2026-03-28T01:30:00Z 2026-03-28T02:30:00Z\n")
        // 02:30 does not exist in Berlin, but in London
        .contains("moved 2026-03-29T01:00:00Z 2026-03-29T01:30:00Z\n")
        .contains("moved 2026-03-30T00:30:00Z 2026-03-30T01:30:00Z\n");
  }

  /** Berlin with the rules of London: what 09:00 in Berlin meant in summer is now an hour later. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'cron':'0 9 * * *'}                                         | moved 07:00 08:00",
        "{'every':'1 day','anchor':'2026-07-01T09:00'}                | moved 07:00 08:00",
        "{'rrule':'FREQ=DAILY','anchor':'2026-07-01T09:00'}           | moved 07:00 08:00",
        "{'every':'1 day','anchor':'2026-07-01T09:00:00+02:00'}       | ''",
        "{'rrule':'FREQ=DAILY','anchor':'2026-07-01T09:00:00+02:00'}  | ''",
      })
  void a_local_anchor_keeps_its_wall_clock_time_and_an_instant_its_instant(
      String json, String moves) {
    Function<String, ZoneId> zones =
        name -> name.equals("Europe/Berlin") ? ZoneId.of("Europe/London") : Zones.parse(name);
    Instant from = Instant.parse("2026-07-02T00:00:00Z");
    TimeFrame day = new TimeFrame(from, from.plus(Duration.ofDays(1)));
    Plan plan = inForce(json.replace("}", ",'timezone':'Europe/Berlin'}"));
    ScheduleDifference difference =
        new WhatIf(PLAIN, new Side(Calendars.NONE, zones), day, 100)
            .compare(ID, Optional.of(plan), Optional.of(plan));
    assertThat(lines(difference).strip().replaceAll("2026-07-02T(.....):00Z", "$1"))
        .isEqualTo(moves);
  }

  @Test
  void a_zone_that_vanishes_is_a_problem_of_its_schedules_only() {
    Function<String, ZoneId> zones =
        name -> Zones.parse(name.equals("Europe/Berlin") ? "Europe/Atlantis" : name);
    WhatIf whatIf = new WhatIf(PLAIN, new Side(Calendars.NONE, zones), WEEK, 100);
    Plan lost = inForce("{'cron':'30 2 * * *','timezone':'Europe/Berlin'}");
    Plan other = inForce("{'cron':'30 2 * * *','timezone':'Europe/Paris'}");

    ScheduleDifference difference = whatIf.compare(ID, Optional.of(lost), Optional.of(lost));

    assertThat(difference.problems()).hasSize(1);
    assertThat(difference.problems().get(0)).startsWith("after: ").contains("Europe/Atlantis");
    assertThat(difference.isEmpty()).isFalse();
    assertThat(whatIf.compare(ID, Optional.of(other), Optional.of(other)).isEmpty()).isTrue();
  }

  @Test
  void a_comparison_ends_where_a_side_has_too_many_occurrences() {
    Plan old = inForce("{'every':'1s'}");
    Plan edited = old.edited(schedule("{'every':'2s'}"), NOW, PLAIN);

    ScheduleDifference difference =
        new WhatIf(PLAIN, PLAIN, WEEK, 100).compare(ID, Optional.of(old), Optional.of(edited));

    assertThat(difference.comparedUntil()).contains(NOW.plusSeconds(99).plusMillis(1));
    assertThat(difference.firesBefore()).isEqualTo(100);
    assertThat(difference.firesAfter()).isEqualTo(50);
    assertThat(difference.count(OccurrenceChange.Kind.REMOVED)).isEqualTo(50);
  }

  @Test
  void equal_plans_on_equal_sides_are_not_searched() {
    Plan plan = inForce("{'every':'1s'}");

    ScheduleDifference difference =
        new WhatIf(PLAIN, PLAIN, WEEK, 100).compare(ID, Optional.of(plan), Optional.of(plan));

    assertThat(difference.isEmpty()).isTrue();
    assertThat(difference.comparedUntil()).isEmpty();
  }
}
