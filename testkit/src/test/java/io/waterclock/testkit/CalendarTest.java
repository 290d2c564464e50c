package io.waterclock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.text.Problems;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;

/** Calendars that change while a scheduler is up, and while it is down. */
final class CalendarTest {
  private static final String DAILY =
      "{\"cron\":\"0 9 * * *\",\"catch_up\":\"replay\",\"except\":[\"closed\"]}";

  private static SchedulerHarness at(String instant) {
    return Harnesses.ticking(Instant.parse(instant), Duration.ofMinutes(10));
  }

  private static void until(SchedulerHarness scheduler, String instant) {
    scheduler.advanceTo(Instant.parse(instant));
  }

  private static List<String> fires(SchedulerHarness scheduler) {
    return scheduler.fires().stream().map(Fire::getOccurrence).map(Instant::toString).toList();
  }

  private static List<String> skipped(SchedulerHarness scheduler) {
    assertThat(scheduler.missed()).allMatch(range -> range.getReason() == MissedReason.SKIPPED);
    return scheduler.missed().stream().map(Missed::getFirst).map(Instant::toString).toList();
  }

  @Test
  void a_change_while_the_scheduler_is_down_counts_from_when_it_was_made() {
    try (SchedulerHarness scheduler = at("2026-12-07T12:00:00Z")) {
      scheduler.putCalendar("closed", "{\"dates\":[\"2026-12-08/2026-12-10\"]}");
      scheduler.put("a", DAILY);
      scheduler.stop();
      until(scheduler, "2026-12-08T12:00:00Z");
      scheduler.putCalendar("closed", "{\"dates\":[\"2026-12-10\"]}");
      until(scheduler, "2026-12-10T12:00:00Z");
      scheduler.putCalendar("closed", "{}");
      until(scheduler, "2026-12-11T12:00:00Z");
      scheduler.start();
      assertThat(fires(scheduler)).containsExactly("2026-12-09T09:00:00Z", "2026-12-11T09:00:00Z");
      assertThat(skipped(scheduler))
          .containsExactly("2026-12-08T09:00:00Z", "2026-12-10T09:00:00Z");
    }
  }

  @Test
  void a_change_makes_a_queued_occurrence_due_earlier_or_later() {
    try (SchedulerHarness scheduler = at("2026-12-01T12:00:00Z")) {
      scheduler.putCalendar("closed", "{\"weekdays\":[\"SAT\",\"SUN\"]}");
      scheduler.put("early", moving("0 9 5 * *"));
      scheduler.put("late", moving("0 9 8 * *"));
      until(scheduler, "2026-12-04T00:00:00Z");
      scheduler.putCalendar("closed", "{\"dates\":[\"2026-12-08\"]}");
      until(scheduler, "2026-12-31T00:00:00Z");
      assertThat(scheduler.fires("early"))
          .singleElement()
          .extracting(Fire::getFiredAt)
          .hasToString("2026-12-05T09:00:00Z");
      Fire late = scheduler.fires("late").get(0);
      assertThat(late.getOccurrence()).hasToString("2026-12-08T09:00:00Z");
      assertThat(late.getDue()).hasToString("2026-12-09T09:00:00Z");
      assertThat(late.getFiredAt()).isEqualTo(late.getDue());
      assertThat(scheduler.watermarks())
          .allMatch(watermark -> watermark.getRepaired() == 0 && watermark.getFaulted() == 0);
    }
  }

  private static String moving(String cron) {
    return "{\"cron\":\""
        + cron
        + "\",\"except\":[\"closed\"],\"on_excluded\":\"next_working_day\"}";
  }

  @Test
  void a_schedule_that_names_no_calendar_there_is_is_rejected_until_there_is_one() {
    try (SchedulerHarness scheduler = at("2026-12-07T12:00:00Z")) {
      scheduler.putCalendar("close", "{}");
      scheduler.put("a", DAILY);
      assertThat(scheduler.status("a").orElseThrow().getState()).isEqualTo(State.REJECTED);
      List<Problem> problems = scheduler.status("a").orElseThrow().getProblems();
      assertThat(Problems.text(problems))
          .isEqualTo(
              "except: there is no calendar \"closed\": did you mean \"close\"?;"
                  + " for example [\"close\"]");
      scheduler.putCalendar("closed", "{}");
      scheduler.put("a", DAILY);
      assertThat(scheduler.status("a").orElseThrow().getState()).isEqualTo(State.ACTIVE);
    }
  }

  @Test
  void definitions_written_while_the_scheduler_is_down_may_name_what_existed_then() {
    try (SchedulerHarness scheduler = at("2026-12-07T12:00:00Z")) {
      scheduler.putCalendar("closed", "{\"dates\":[\"2026-12-08/2026-12-10\"]}");
      scheduler.put("edited", "{\"cron\":\"0 9 * * *\"}");
      scheduler.stop();
      scheduler.put("new", DAILY);
      scheduler.put("edited", DAILY);
      until(scheduler, "2026-12-09T12:00:00Z");
      scheduler.deleteCalendar("closed");
      until(scheduler, "2026-12-10T12:00:00Z");
      scheduler.put("late", DAILY);
      scheduler.start();
      assertThat(scheduler.status("late").orElseThrow().getState()).isEqualTo(State.REJECTED);
      assertThat(scheduler.status("new").orElseThrow().getState()).isEqualTo(State.ACTIVE);
      assertThat(scheduler.fires("new")).singleElement().satisfies(CalendarTest::isOfTheTenth);
      assertThat(scheduler.fires("edited")).singleElement().satisfies(CalendarTest::isOfTheTenth);
      assertThat(scheduler.missed()).hasSize(2);
    }
  }

  private static void isOfTheTenth(Fire fire) {
    assertThat(fire.getOccurrence()).hasToString("2026-12-10T09:00:00Z");
  }

  @Test
  void definitions_written_while_the_scheduler_is_down_may_not_name_what_came_later() {
    try (SchedulerHarness scheduler = at("2026-12-07T12:00:00Z")) {
      until(scheduler, "2026-12-07T13:00:00Z");
      scheduler.stop();
      scheduler.put("early", DAILY);
      until(scheduler, "2026-12-07T14:00:00Z");
      scheduler.putCalendar("closed", "{}");
      scheduler.put("late", DAILY);
      scheduler.start();
      assertThat(Problems.text(scheduler.status("early").orElseThrow().getProblems()))
          .startsWith("except: calendar \"closed\" was created after the timestamp of this record");
      assertThat(scheduler.status("late").orElseThrow().getState()).isEqualTo(State.ACTIVE);
    }
  }

  @Test
  void a_deleted_calendar_excludes_nothing_and_a_new_one_of_its_name_only_what_comes_after_it() {
    try (SchedulerHarness scheduler = at("2026-12-07T12:00:00Z")) {
      scheduler.putCalendar("closed", "{\"dates\":[\"2026-12-08/2026-12-10\"]}");
      scheduler.put("a", DAILY);
      until(scheduler, "2026-12-08T12:00:00Z");
      scheduler.deleteCalendar("closed");
      until(scheduler, "2026-12-09T12:00:00Z");
      scheduler.putCalendar("closed", "{\"dates\":[\"2026-12-08/2026-12-10\"]}");
      until(scheduler, "2026-12-11T12:00:00Z");
      assertThat(fires(scheduler)).containsExactly("2026-12-09T09:00:00Z", "2026-12-11T09:00:00Z");
      assertThat(skipped(scheduler))
          .containsExactly("2026-12-08T09:00:00Z", "2026-12-10T09:00:00Z");
    }
  }

  @Test
  void a_bad_calendar_goes_to_the_dead_letters_once_and_the_last_good_one_stays() {
    try (SchedulerHarness scheduler = at("2026-12-07T12:00:00Z")) {
      scheduler.putCalendar("closed", "{\"dates\":[\"2026-12-08\"]}");
      scheduler.put("a", DAILY);
      scheduler.putCalendar("closed", "{\"dates\":[\"2026-12-09/2026-12-08\",\"2026-13-01\"]}");
      scheduler.sendCalendar("a name", "{}".getBytes(StandardCharsets.UTF_8));
      until(scheduler, "2026-12-09T12:00:00Z");
      scheduler.stop();
      scheduler.start();
      assertThat(fires(scheduler)).containsExactly("2026-12-09T09:00:00Z");
      List<TestRecord<byte[], byte[]>> dead = scheduler.records(scheduler.topics().dlq());
      assertThat(dead)
          .extracting(
              record ->
                  new String(
                      record.headers().lastHeader(HeaderNames.ERROR).value(),
                      StandardCharsets.UTF_8))
          .satisfiesExactly(
              error -> assertThat(error).contains("dates[1]: \"2026-13-01\" is neither a date"),
              error -> assertThat(error).contains("calendar name \"a name\" has a space"));
      assertThat(dead.get(0).headers().lastHeader(HeaderNames.ORIGIN_TOPIC).value())
          .asString(StandardCharsets.UTF_8)
          .isEqualTo("waterclock.calendars");
    }
  }

  @Test
  void a_calendar_that_the_topic_still_has_is_in_force_after_a_long_outage() {
    try (SchedulerHarness scheduler = at("2026-12-07T12:00:00Z")) {
      scheduler.putCalendar("closed", "{\"dates\":[\"2026-12-08/2026-12-10\"]}");
      scheduler.put("a", DAILY);
      scheduler.stop();
      until(scheduler, "2026-12-31T12:00:00Z");
      scheduler.start();
      assertThat(fires(scheduler)).doesNotContain("2026-12-08T09:00:00Z", "2026-12-10T09:00:00Z");
      assertThat(fires(scheduler)).hasSize(31 - 10);
    }
  }
}
