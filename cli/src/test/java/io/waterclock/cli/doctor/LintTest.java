package io.waterclock.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.cli.CliRun;
import io.waterclock.cli.calendar.CalendarTopic;
import io.waterclock.cli.live.Symptom;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.WrittenDefinition;
import io.waterclock.console.model.Upcoming;
import io.waterclock.definition.Calendars;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.DateRange;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Weekday;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

final class LintTest {
  private static final Instant BORN = Instant.parse("2026-01-01T00:00:00Z");

  private final List<KnownSchedule> all = new ArrayList<>();

  private void define(String id, UnaryOperator<Schedule.Builder> change) {
    Schedule.Builder plain =
        Schedule.newBuilder()
            .setTrigger(new CronTrigger(all.size() + " 9 * * *"))
            .setTimezone("Europe/Berlin")
            .setOwner("acme");
    all.add(
        KnownSchedule.of(id)
            .with(
                Optional.of(
                    new WrittenDefinition("r@1", Optional.of(change.apply(plain).build())))));
  }

  private List<String> findings(int herd) {
    Calendar workdays =
        Calendar.newBuilder()
            .setWeekdays(List.of(Weekday.MON, Weekday.TUE, Weekday.WED, Weekday.THU, Weekday.FRI))
            .build();
    Calendar weekends =
        Calendar.newBuilder().setWeekdays(List.of(Weekday.SAT, Weekday.SUN)).build();
    Upcoming upcoming =
        new Upcoming(
            ZoneOffset.UTC,
            CalendarTopic.inForce(Map.of("workdays", workdays, "weekends", weekends)));
    return new Lint(upcoming, CliRun.NOW, herd).of(all).stream().map(Symptom::about).toList();
  }

  @Test
  void calendars_that_together_exclude_every_day_leave_nothing_to_fire() {
    define("a", d -> d.setExcept(List.of("weekends")));
    define("b", d -> d.setExcept(List.of("weekends", "workdays")));
    assertThat(findings(100)).containsExactly("b");
  }

  @Test
  void a_calendar_that_leaves_out_everything_for_decades_is_named_with_the_first_fire() {
    Calendar closed =
        Calendar.newBuilder()
            .setDates(List.of(new DateRange(LocalDate.of(2000, 1, 1), LocalDate.of(2055, 6, 30))))
            .build();
    define("a", d -> d.setExcept(List.of("closed")));
    define("leap", d -> d.setTrigger(new CronTrigger("0 9 29 2 *")));
    Upcoming upcoming =
        new Upcoming(ZoneOffset.UTC, CalendarTopic.inForce(Map.of("closed", closed)));
    assertThat(new Lint(upcoming, CliRun.NOW, 100).of(all))
        .singleElement()
        .isEqualTo(
            Symptom.bad(
                "a",
                "It does not fire before 2055-07-01T07:00:00Z: calendars exclude everything that"
                    + " its trigger names until then: closed."));
  }

  @Test
  void an_end_that_had_passed_from_the_beginning_is_named_and_one_that_came_is_not() {
    complete("a", Instant.parse("2025-12-31T00:00:00Z"));
    complete("came", BORN.plusSeconds(172_800));
    assertThat(new Lint(new Upcoming(ZoneOffset.UTC, Calendars.NONE), CliRun.NOW, 100).of(all))
        .singleElement()
        .isEqualTo(
            Symptom.bad(
                "a",
                "It never fires: its end_at, 2025-12-31T00:00:00Z, had passed when its definition"
                    + " took effect."));
  }

  /** A schedule that is over. */
  private void complete(String id, Instant end) {
    Schedule schedule =
        Schedule.newBuilder()
            .setTrigger(new CronTrigger("0 9 * * *"))
            .setOwner("acme")
            .setEndAt(end)
            .build();
    all.add(
        new KnownSchedule(
            id,
            Optional.of(new WrittenDefinition("r@1", Optional.of(schedule))),
            Optional.of(
                ScheduleStatus.newBuilder()
                    .setScheduleId(id)
                    .setState(State.COMPLETED)
                    .setRevision("r@1")
                    .setSince(BORN)
                    .build()),
            Optional.of(
                Revision.newBuilder()
                    .setScheduleId(id)
                    .setRevision("r@1")
                    .setSchedule(schedule)
                    .setOwnsAfter(BORN)
                    .setEffectiveAt(BORN)
                    .setAcceptedAt(BORN)
                    .setTzdb("2025b")
                    .build()),
            Optional.empty()));
  }

  @Test
  void a_zone_is_named_where_nearly_all_of_the_owner_have_another() {
    for (int i = 0; i < 4; i++) {
      define("a" + i, d -> d);
    }
    define("utc", d -> d.setTimezone("UTC"));
    define("other", d -> d.setTimezone("UTC").setOwner("beta"));
    assertThat(findings(100)).containsExactly("utc");
    define("utc2", d -> d.setTimezone("UTC"));
    assertThat(findings(100)).as("four of six are not nearly all").isEmpty();
  }

  @Test
  void a_herd_shares_its_cron_expression_without_jitter() {
    for (int i = 0; i < 3; i++) {
      define("a" + i, d -> d.setTrigger(new CronTrigger("0 0 * * *")));
    }
    define("spread", d -> d.setTrigger(new CronTrigger("0 0 * * *")).setJitterMs(1_000));
    assertThat(findings(4)).isEmpty();
    assertThat(findings(3)).singleElement().asString().contains("0 0 * * *");
  }

  @Test
  void a_definition_has_an_owner() {
    define("a", d -> d.setOwner(null));
    define("b", d -> d);
    assertThat(findings(100)).containsExactly("a");
  }
}
