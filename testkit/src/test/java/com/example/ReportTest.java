package com.example;

import static io.waterclock.testkit.FiresAssert.assertThatFires;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.testkit.SchedulerHarness;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

class ReportTest {
  private static final String NIGHTLY =
      """
      {"cron":"30 2 * * *","timezone":"Europe/Berlin"}
      """;

  @Test
  void the_report_runs_once_in_the_night_the_clocks_go_forward() {
    Instant saturday = Instant.parse("2026-03-28T12:00:00Z");
    try (SchedulerHarness scheduler = SchedulerHarness.startingAt(saturday)) {
      scheduler.put("report", NIGHTLY);
      scheduler.advance(Duration.ofDays(2));
      // 02:30 does not exist on Sunday: the report runs at the end of the gap
      assertThatFires(scheduler, "report")
          .inZone(ZoneId.of("Europe/Berlin"))
          .areAt("2026-03-29T03:00", "2026-03-30T02:30");
    }
  }

  @Test
  void the_report_runs_each_night_of_a_year() {
    Instant newYear = Instant.parse("2026-01-01T00:00:00Z");
    Instant february = Instant.parse("2026-02-01T00:00:00Z");
    try (SchedulerHarness scheduler = SchedulerHarness.startingAt(newYear)) {
      scheduler.put("report", NIGHTLY);
      scheduler.advance(Duration.ofDays(365));
      assertThatFires(scheduler, "report").hasSize(365);
      assertThatFires(scheduler, "report").between(newYear, february).hasSize(31);
    }
  }

  @Test
  void an_outage_of_an_hour_collapses_into_one_fire() {
    Instant noon = Instant.parse("2026-03-28T12:00:00Z");
    try (SchedulerHarness scheduler = SchedulerHarness.startingAt(noon)) {
      scheduler.put("poll", "{\"every\":\"10m\",\"catch_up\":\"collapse\"}");
      scheduler.stop();
      scheduler.advance(Duration.ofHours(1));
      scheduler.start();
      assertThatFires(scheduler, "poll").hasSize(1);
      assertThat(scheduler.fires("poll").get(0).getCollapsed().getCount()).isEqualTo(5);
    }
  }
}
