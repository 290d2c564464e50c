package io.waterclock.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.cli.CliRun;
import io.waterclock.cli.calendar.CalendarTopic;
import io.waterclock.cli.live.Symptom;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.WrittenDefinition;
import io.waterclock.console.model.Upcoming;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Weekday;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

final class LintTest {
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
