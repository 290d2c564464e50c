package io.waterclock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Watermark;
import io.waterclock.topology.scheduler.context.Settings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Many schedules due at once, and ticks with time for few of them. */
class HerdTest {
  private static final int MANY = 300;

  @Test
  void a_herd_that_took_many_ticks_fires_once_and_leaves_nothing_behind() {
    Settings.Pace pace =
        new Settings.Pace(
            Duration.ofSeconds(1),
            new Settings.Budget(Duration.ZERO, 64),
            10,
            Duration.ofSeconds(5),
            Duration.ofSeconds(9));
    Instant start = Instant.parse("2026-03-04T10:00:30Z");
    try (SchedulerHarness scheduler = Harnesses.ticking(start, pace)) {
      for (int i = 0; i < MANY; i++) {
        scheduler.put("s" + i, "{\"every\":\"10m\",\"anchor\":\"2026-03-04T00:00:00Z\"}");
      }
      scheduler.stop();
      scheduler.advance(Duration.ofMinutes(45));
      scheduler.start();
      scheduler.advance(Duration.ofMinutes(3));
      assertThat(scheduler.fires()).hasSize(MANY);
      assertThat(scheduler.watermarks()).extracting(Watermark::getRepaired).containsOnly(0L);
      assertThat(scheduler.store("progress")).as("but the position").hasSize(1);

      scheduler.advance(Duration.ofMinutes(5));
      scheduler.stop();
      scheduler.start();
      scheduler.advance(Duration.ofMinutes(5));
      assertThat(scheduler.fires()).extracting(Fire::getFireId).doesNotHaveDuplicates();
      assertThat(scheduler.fires()).hasSize(2 * MANY);
    }
  }

  @Test
  void schedules_with_one_text_of_jenkins_fire_each_at_the_minute_of_its_id() {
    Instant start = Instant.parse("2026-01-01T00:00:00Z");
    try (SchedulerHarness scheduler = SchedulerHarness.startingAt(start)) {
      for (String id : List.of("billing/report", "folder/job", "nightly")) {
        scheduler.put(id, "{\"cron\":\"H H(0-7) * * *\",\"dialect\":\"jenkins\"}");
      }

      scheduler.advance(Duration.ofDays(1));

      assertThat(scheduler.fires())
          .extracting(fire -> fire.getScheduleId() + " " + fire.getOccurrence())
          .containsExactlyInAnyOrder(
              "billing/report 2026-01-01T05:32:00Z",
              "folder/job 2026-01-01T00:16:00Z",
              "nightly 2026-01-01T01:01:00Z");
      assertThat(scheduler.fires().get(0).getSchedule().getTrigger())
          .isEqualTo(new CronTrigger("H H(0-7) * * *"));
    }
  }

  @Test
  void a_restart_queues_more_schedules_than_one_slice_of_the_store_holds() {
    int many = 2_500;
    try (SchedulerHarness scheduler =
        SchedulerHarness.startingAt(Instant.parse("2026-03-04T10:00:30Z"))) {
      for (int i = 0; i < many; i++) {
        scheduler.put("s" + i, "{\"every\":\"10m\",\"anchor\":\"2026-03-04T00:00:00Z\"}");
      }
      scheduler.stop();
      scheduler.start();
      scheduler.advance(Duration.ofMinutes(10));
      assertThat(scheduler.fires()).hasSize(many);
    }
  }

  /** More than a tick looks at in the index before it decides. */
  @Test
  void a_herd_that_is_due_at_a_restart_fires_in_the_order_of_its_due_instants() {
    int many = 3_000;
    Instant start = Instant.parse("2026-03-04T10:00:30Z");
    try (SchedulerHarness scheduler = SchedulerHarness.startingAt(start)) {
      for (int i = 0; i < many; i++) {
        scheduler.put("s" + (i * 7 % many), "{\"at\":\"" + start.plusMillis(600_000 + i) + "\"}");
      }
      scheduler.stop();
      scheduler.advance(Duration.ofMinutes(11));
      scheduler.start();
      scheduler.advance(Duration.ofSeconds(10));
      assertThat(scheduler.fires()).hasSize(many);
      assertThat(scheduler.fires()).extracting(Fire::getDue).isSorted();
    }
  }
}
