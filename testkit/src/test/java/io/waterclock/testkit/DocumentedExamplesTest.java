package io.waterclock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.Fire;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The examples of docs/testing.md. */
final class DocumentedExamplesTest {

  @Test
  void the_report_runs_once_in_the_night_the_clocks_go_forward() {
    try (SchedulerHarness scheduler =
        SchedulerHarness.startingAt(Instant.parse("2026-03-28T12:00:00Z"))) {
      scheduler.put("report", "{\"cron\":\"30 2 * * *\",\"timezone\":\"Europe/Berlin\"}");
      scheduler.advance(Duration.ofDays(2));
      assertThat(scheduler.fires("report"))
          .extracting(Fire::getOccurrence)
          .containsExactly(
              Instant.parse("2026-03-29T01:00:00Z"), Instant.parse("2026-03-30T00:30:00Z"));
    }
  }

  @Test
  void an_hour_without_a_scheduler_collapses_into_one_fire() {
    try (SchedulerHarness scheduler =
        SchedulerHarness.startingAt(Instant.parse("2026-03-28T12:00:00Z"))) {
      scheduler.put("poll", "{\"every\":\"10m\",\"catch_up\":\"collapse\"}");
      scheduler.stop();
      scheduler.advance(Duration.ofHours(1));
      scheduler.start();
      assertThat(scheduler.fires("poll")).hasSize(1);
      assertThat(scheduler.fires("poll").get(0).getCollapsed().getCount()).isEqualTo(5);
    }
  }
}
