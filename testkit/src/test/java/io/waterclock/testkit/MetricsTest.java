package io.waterclock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.runtime.metrics.Metrics;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Cause;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.MissedReason;
import io.waterclock.schemas.avro.State;
import io.waterclock.schemas.avro.Watermark;
import io.waterclock.topology.scheduler.context.Settings;
import io.waterclock.topology.scheduler.store.ScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the metrics of a scheduler say, against what it wrote. */
final class MetricsTest {
  private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
  private static final Instant SCRAPED = START.plus(Duration.ofHours(1));

  /** So little that the queue is rebuilt a slice a tick. */
  private static final Settings.Budget SMALL = new Settings.Budget(Duration.ZERO, 1_000);

  private final Metrics metrics = new Metrics(InstantSource.fixed(SCRAPED), () -> true, 1);
  private final SchedulerHarness scheduler = start();

  private SchedulerHarness start() {
    Settings.Pace pace =
        new Settings.Pace(
            Duration.ofSeconds(1), SMALL, 100, Duration.ofSeconds(5), Duration.ofSeconds(20));
    return SchedulerHarness.ticking(
        START, pace, Duration.ofHours(1), metrics, SchedulerHarness.LIMITS);
  }

  @AfterEach
  void close() {
    scheduler.close();
    metrics.close();
  }

  private Scrape scrape() {
    return Scrape.of(metrics.scrape());
  }

  private Scrape scrapeCommitted() {
    metrics.committed();
    return scrape();
  }

  @Test
  void what_was_written_is_counted_when_it_is_committed() {
    scheduler.put("a", "{\"every\":\"1s\"}");
    scheduler.advance(Duration.ofSeconds(5));
    assertThat(scheduler.fires()).isNotEmpty();
    assertThat(scrape().sum("waterclock_fires_total")).isZero();
    assertThat(scrapeCommitted().sum("waterclock_fires_total")).isEqualTo(scheduler.fires().size());
    assertThat(scrapeCommitted().sum("waterclock_fires_total")).isEqualTo(scheduler.fires().size());
  }

  @Test
  void what_an_aborted_transaction_has_counted_goes_with_its_task() {
    scheduler.put("a", "{\"every\":\"1s\"}");
    scheduler.advance(Duration.ofSeconds(5));
    scheduler.stop();
    assertThat(scrapeCommitted().sum("waterclock_fires_total")).isZero();
  }

  @Test
  void counters_outlive_a_task_and_gauges_go_with_it() {
    scheduler.put("a", "{\"every\":\"1s\"}");
    scheduler.advance(Duration.ofSeconds(6));
    double fired = scrapeCommitted().sum("waterclock_fires_total");
    assertThat(scrape().names())
        .contains("waterclock_schedules", "waterclock_backlog", "waterclock_watermark_age_seconds");
    scheduler.stop();
    assertThat(scrape().sum("waterclock_fires_total")).isEqualTo(fired).isPositive();
    assertThat(scrape().samples()).noneMatch(sample -> sample.labels().containsKey("partition"));
    scheduler.start();
    scheduler.advance(Duration.ofSeconds(6));
    assertThat(scrapeCommitted().sum("waterclock_fires_total")).isEqualTo(scheduler.fires().size());
    assertThat(scrape().sum("waterclock_schedules", Map.of("state", "active"))).isEqualTo(1);
  }

  @Test
  void every_cause_and_every_reason_is_counted_as_the_topics_have_it() {
    scheduler.put("skip", "{\"every\":\"1s\",\"catch_up\":\"skip\"}");
    scheduler.put("collapse", "{\"every\":\"7s\"}");
    scheduler.put("replay", "{\"every\":\"3s\",\"catch_up\":\"replay\",\"max_replay\":40}");
    scheduler.put("paused", "{\"every\":\"1s\"}");
    scheduler.put("bad", "{\"every\":\"never\"}");
    scheduler.command("paused", "{\"command_id\":\"c-1\",\"pause\":{}}");
    scheduler.command("skip", "{\"command_id\":\"c-2\",\"trigger\":{}}");
    scheduler.command("nobody", "{\"command_id\":\"c-3\",\"trigger\":{}}");
    scheduler.putCalendar("bad", "{\"dates\":7}");
    scheduler.advance(Duration.ofSeconds(10));
    metrics.committed();
    scheduler.stop();
    scheduler.advance(Duration.ofMinutes(5));
    scheduler.start();
    scheduler.advance(Duration.ofSeconds(10));
    scheduler.command("paused", "{\"command_id\":\"c-4\",\"resume\":{}}");
    scheduler.command(
        "replay",
        "{\"command_id\":\"c-5\",\"backfill\":{\"from\":\"%s\",\"to\":\"%s\"}}"
            .formatted(START, START.plusSeconds(10)));
    scheduler.advance(Duration.ofSeconds(10));
    scheduler.delete("collapse");
    scheduler.advance(Duration.ofSeconds(10));

    Scrape scrape = scrapeCommitted();
    for (Cause cause : Cause.values()) {
      long fired = scheduler.fires().stream().filter(f -> f.getCause() == cause).count();
      assertThat(scrape.sum("waterclock_fires_total", Map.of("cause", label(cause))))
          .as("%s", cause)
          .isEqualTo((double) fired)
          .isPositive();
      assertThat(
              scrape.sum("waterclock_fire_lateness_seconds_count", Map.of("cause", label(cause))))
          .isEqualTo((double) fired);
    }
    for (MissedReason reason : MissedReason.values()) {
      assertThat(scrape.sum("waterclock_missed_total", Map.of("reason", label(reason))))
          .as("%s", reason)
          .isEqualTo(
              (double)
                  scheduler.missed().stream()
                      .filter(missed -> missed.getReason() == reason)
                      .mapToLong(Missed::getCount)
                      .sum());
    }
    assertThat(scheduler.missed())
        .extracting(Missed::getReason)
        .contains(
            MissedReason.GRACE,
            MissedReason.COLLAPSED_INTO,
            MissedReason.OUT_OF_WINDOW,
            MissedReason.PAUSED);
    assertThat(scrape.by("input", "waterclock_accepted_total"))
        .isEqualTo(Map.of("schedules", 5.0, "commands", 4.0, "outcomes", 0.0));
    assertThat(scrape.by("input", "waterclock_rejected_total"))
        .isEqualTo(Map.of("schedules", 1.0, "commands", 1.0, "outcomes", 0.0, "calendars", 1.0));
    assertThat(scrape.by("schedule", "waterclock_missed_lately"))
        .as("not what collapses on purpose")
        .containsOnlyKeys("skip", "replay");
    assertThat(scrape.sum("waterclock_watchdog_checked_total")).isPositive();
    assertThat(scrape.sum("waterclock_repaired_total")).isZero();
  }

  @Test
  void lateness_is_counted_in_cumulative_buckets_from_due() {
    scheduler.put("a", "{\"in\":\"PT0.5S\"}");
    scheduler.step(Duration.ofMillis(501));
    scheduler.put("b", "{\"in\":\"PT1S\"}");
    scheduler.step(Duration.ofSeconds(4));
    Scrape scrape = scrapeCommitted();
    assertThat(scheduler.fires()).hasSize(2);
    String sum = "waterclock_fire_lateness_seconds_sum";
    assertThat(scrape.sum(sum, Map.of("cause", "scheduled"))).isEqualTo(3.001);
    Map<String, Double> expected =
        Map.of("0.001", 1.0, "2.0", 1.0, "5.0", 2.0, "86400.0", 2.0, "+Inf", 2.0);
    String bucket = "waterclock_fire_lateness_seconds_bucket";
    expected.forEach(
        (le, count) ->
            assertThat(scrape.sum(bucket, Map.of("cause", "scheduled", "le", le)))
                .as(le)
                .isEqualTo(count));
  }

  @Test
  void the_age_of_a_watermark_is_counted_from_what_it_says_is_decided() {
    scheduler.advance(Duration.ofSeconds(12));
    List<Watermark> watermarks = scheduler.watermarks();
    Instant decided = watermarks.get(watermarks.size() - 1).getDecidedThrough();
    assertThat(scrape().sum("waterclock_watermark_age_seconds"))
        .isEqualTo(Duration.between(decided, SCRAPED).toMillis() / 1e3);
  }

  /** A pass takes 20 s here. */
  @Test
  void the_age_of_the_latest_complete_pass_is_counted_from_its_begin() {
    scheduler.put("a", "{\"every\":\"1h\"}");
    scheduler.advance(Duration.ofSeconds(5));
    scheduler.advance(Duration.ofMinutes(3));
    double age = scrape().sum("waterclock_watchdog_pass_age_seconds");
    Instant now = scheduler.now();
    assertThat(SCRAPED.minusMillis(Math.round(age * 1_000)))
        .isBetween(now.minusSeconds(2 * 20 + 1), now.minusSeconds(1));
    scheduler.stop();
    assertThat(scrape().names()).doesNotContain("waterclock_watchdog_pass_age_seconds");
  }

  @Test
  void the_backlog_of_the_live_lane_is_what_a_tick_has_left_due() {
    for (int i = 0; i < 1_500; i++) {
      scheduler.put("s" + i, "{\"at\":\"" + START.plusSeconds(60) + "\"}");
    }
    scheduler.step(Duration.ofSeconds(59));
    assertThat(scrape().by("lane", "waterclock_backlog").get("live")).isZero();
    scheduler.step(Duration.ofSeconds(1));
    int left = 1_500 - scheduler.fires().size();
    assertThat(left).isPositive();
    assertThat(scrape().by("lane", "waterclock_backlog").get("live")).isEqualTo(left);
  }

  @Test
  void schedules_by_state_are_right_though_they_change_while_the_queue_is_rebuilt() {
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 3; round++) {
      change(random, 1_000);
      scheduler.stop();
      change(random, 50);
      scheduler.start();
      for (int i = 0; i < 5; i++) {
        change(random, 50);
        scheduler.advance(Duration.ofSeconds(1));
      }
      scheduler.advance(Duration.ofSeconds(30));
      Map<String, Double> counted = scrape().by("state", "waterclock_schedules");
      Map<State, Long> known = known();
      for (State life : List.of(State.ACTIVE, State.PAUSED, State.COMPLETED)) {
        assertThat(counted.get(label(life)))
            .as("%s, round %s", life, round)
            .isEqualTo((double) known.getOrDefault(life, 0L))
            .isPositive();
      }
      assertThat(scheduler.store(ScheduleStore.NAME)).hasSizeGreaterThan(2 * 128);
    }
  }

  private void change(SplittableRandom random, int times) {
    for (int i = 0; i < times; i++) {
      String id = "s" + random.nextInt(700);
      switch (random.nextInt(6)) {
        case 0 -> scheduler.delete(id);
        case 1 -> scheduler.put(id, "{\"every\":\"1h\",\"enabled\":false}");
        case 2 -> scheduler.put(id, "{\"in\":\"PT20S\"}");
        case 3 ->
            scheduler.command(
                id, "{\"command_id\":\"%s\",\"pause\":{}}".formatted(random.nextLong()));
        case 4 ->
            scheduler.command(
                id, "{\"command_id\":\"%s\",\"resume\":{}}".formatted(random.nextLong()));
        default -> scheduler.put(id, "{\"every\":\"%dh\"}".formatted(1 + random.nextInt(2)));
      }
    }
  }

  /** By the latest statuses of those that are stored. */
  private Map<State, Long> known() {
    Map<Bytes, State> statuses = new HashMap<>();
    for (TestRecord<byte[], byte[]> record : scheduler.records(scheduler.topics().status())) {
      if (record.value() != null) {
        statuses.put(
            Bytes.wrap(record.key()), RecordCodecs.status().decode(record.value()).getState());
      }
    }
    return scheduler.store(ScheduleStore.NAME).keySet().stream()
        .collect(
            Collectors.groupingBy(
                id -> Optional.ofNullable(statuses.get(id)).orElseThrow(), Collectors.counting()));
  }

  private static String label(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
