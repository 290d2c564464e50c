package io.waterclock.testkit;

import static io.waterclock.testkit.FiresAssert.assertThatFires;
import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.ScheduleStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A virtual clock that jumps skips nothing. */
final class TimeJumpsTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final List<String> DEFINITIONS =
      List.of(
          "{\"every\":\"%ds\",\"jitter\":\"5s\"}",
          "{\"every\":\"%dm\"}",
          "{\"cron\":\"%d * * * *\"}",
          "{\"at\":\"2026-01-01T00:%02d:17.123Z\"}",
          "{\"every\":\"%dm\",\"max_occurrences\":3}",
          "{\"every\":\"7m\",\"start_at\":\"2026-01-01T01:%02d:00Z\",\"catch_up\":\"replay\"}");

  @Test
  void a_year_of_a_daily_schedule_fires_each_day_on_time() {
    try (SchedulerHarness scheduler = SchedulerHarness.startingAt(START)) {
      scheduler.put("daily", "{\"cron\":\"0 6 * * *\"}");

      scheduler.advance(Duration.ofDays(365));

      assertThatFires(scheduler, "daily")
          .areAt(
              IntStream.range(0, 365)
                  .mapToObj(day -> START.plus(Duration.ofHours(day * 24L + 6)))
                  .toArray(Instant[]::new))
          .allSatisfy(fire -> assertThat(fire.getFiredAt()).isEqualTo(fire.getDue()));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void jumps_fire_what_ticks_fire(long seed) {
    try (SchedulerHarness jumping = SchedulerHarness.startingAt(START);
        SchedulerHarness ticking = Harnesses.ticking(START, Duration.ofSeconds(10))) {
      play(jumping, seed);
      play(ticking, seed);

      assertThat(fires(jumping)).isNotEmpty().containsExactlyInAnyOrderElementsOf(fires(ticking));
      assertThat(jumping.fires())
          .filteredOn(fire -> fire.getCollapsed() == null && fire.getCause() == Cause.SCHEDULED)
          .allSatisfy(fire -> assertThat(fire.getFiredAt()).isEqualTo(fire.getDue()));
      for (int n = 0; n < 12; n++) {
        assertThat(jumping.status("s" + n).map(ScheduleStatus::getState))
            .isEqualTo(ticking.status("s" + n).map(ScheduleStatus::getState));
      }
    }
  }

  private static void play(SchedulerHarness scheduler, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int n = 0; n < 60; n++) {
      String id = "s" + random.nextInt(12);
      switch (random.nextInt(8)) {
        case 0 -> scheduler.delete(id);
        case 1 -> scheduler.command(id, command(n, "\"pause\":{}"));
        case 2 -> scheduler.command(id, command(n, "\"resume\":{}"));
        case 3 -> scheduler.command(id, command(n, "\"trigger\":{}"));
        default ->
            scheduler.put(
                id,
                DEFINITIONS
                    .get(random.nextInt(DEFINITIONS.size()))
                    .formatted(10 + random.nextInt(50)));
      }
      scheduler.advance(Duration.ofSeconds(random.nextInt(600)));
    }
    scheduler.advance(Duration.ofHours(3));
  }

  private static String command(int n, String what) {
    return "{\"command_id\":\"c-%d\",%s}".formatted(n, what);
  }

  private static List<String> fires(SchedulerHarness scheduler) {
    return scheduler.fires().stream().map(TimeJumpsTest::text).toList();
  }

  private static String text(Fire fire) {
    return "%s %s %s %s"
        .formatted(fire.getScheduleId(), fire.getOccurrence(), fire.getDue(), fire.getCause());
  }

  @Test
  void a_completed_schedule_is_removed_after_its_retention() {
    try (SchedulerHarness scheduler = SchedulerHarness.startingAt(START)) {
      scheduler.put("once", "{\"at\":\"2026-01-01T06:00:00Z\"}");
      scheduler.advance(Duration.ofHours(6).plusMinutes(59));
      assertThat(scheduler.status("once")).isPresent();

      scheduler.advance(Duration.ofMinutes(15));

      assertThat(scheduler.status("once")).isEmpty();
    }
  }
}
