package io.waterclock.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.Limit;
import io.waterclock.schemas.avro.LimitPause;
import io.waterclock.schemas.avro.LimitWindow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DrainForecastTest {
  private static final Instant TWO = Instant.parse("2026-11-30T02:00:00Z");
  private static final int HOURS = 6;

  private static Limit limit(@Nullable Integer maxRunning, @Nullable Integer perSecond) {
    return Limit.newBuilder().setMaxRunning(maxRunning).setPerSecond(perSecond).build();
  }

  private static List<Long> minutes(Map<Integer, Long> counts) {
    List<Long> minutes = new ArrayList<>(Collections.nCopies(HOURS * 60, 0L));
    counts.forEach(minutes::set);
    return minutes;
  }

  private static List<DrainForecast.Queue> drain(
      Limit limit, Optional<Duration> run, Map<Integer, Long> counts) {
    return DrainForecast.of(
        GroupLimit.of(limit), new DrainForecast.State(0, 0, run), TWO, minutes(counts));
  }

  private static Instant at(String time) {
    return Instant.parse("2026-11-30T" + time + "Z");
  }

  /**
   * A herd of 41 at 02:00. With four at a time for four minutes each, the last one starts in the
   * eleventh batch: 40 minutes after the first.
   */
  @ParameterizedTest
  @CsvSource({
    "4,     ,  PT4M,  41, 02:40:00",
    "4,     ,  PT4M,  40, 02:36:00",
    "4,     ,  PT1S,  240, 02:00:59+",
    "4,     ,  PT1S,  400, 02:01:39",
    "4,     ,  PT0.5S, 800, 02:01:39",
    "1,     ,  PT1H,  2, 03:00:00",
    " ,    1,  PT1H,  100, 02:01:39",
    " ,   50,  PT1H,  10000, 02:03:19",
    "4,    1,  PT4M,  41, 02:40:00",
    "1000, 1,  PT1S,  100, 02:01:39",
    "4,   50,      ,  1000, 02:00:19+",
  })
  void a_herd_drains_by_the_start_of_its_last_fire(
      @Nullable Integer maxRunning,
      @Nullable Integer perSecond,
      @Nullable Duration run,
      long herd,
      String drained) {
    List<DrainForecast.Queue> queues =
        drain(limit(maxRunning, perSecond), Optional.ofNullable(run), Map.of(0, herd));
    if (drained.endsWith("+")) {
      assertThat(queues).as("within its minute").isEmpty();
    } else {
      assertThat(queues)
          .containsExactly(new DrainForecast.Queue(TWO, Optional.of(at(drained)), herd));
    }
  }

  @Test
  void nothing_starts_in_a_window_or_a_pause() {
    Limit closed = limit(null, 50);
    closed.setClosed(List.of(new LimitWindow("30 2 * * *", 3_600_000L, null)));
    assertThat(drain(closed, Optional.empty(), Map.of(45, 100L)))
        .containsExactly(new DrainForecast.Queue(at("02:45:00"), Optional.of(at("03:30:01")), 100));
    Limit paused = limit(null, 50);
    paused.setPaused(new LimitPause(null, null, at("03:00:00")));
    assertThat(drain(paused, Optional.empty(), Map.of(10, 5L, 20, 5L)))
        .containsExactly(new DrainForecast.Queue(at("02:10:00"), Optional.of(at("03:00:00")), 10));
    paused.setPaused(new LimitPause(null, null, null));
    assertThat(drain(paused, Optional.empty(), Map.of(10, 5L)))
        .containsExactly(new DrainForecast.Queue(at("02:10:00"), Optional.empty(), 5));
  }

  @Test
  void what_waits_and_runs_at_the_beginning_counts() {
    assertThat(
            DrainForecast.of(
                GroupLimit.of(limit(4, null)),
                new DrainForecast.State(8, 4, Optional.of(Duration.ofMinutes(10))),
                TWO,
                minutes(Map.of())))
        .containsExactly(new DrainForecast.Queue(TWO, Optional.of(at("02:15:00")), 8));
  }

  @Test
  void without_a_bound_nothing_waits() {
    assertThat(drain(limit(null, null), Optional.of(Duration.ofHours(1)), Map.of(0, 1_000_000L)))
        .isEmpty();
  }

  /** The same by an event for each fire: first come, first served, by so many servers. */
  @Test
  void max_running_is_a_queue_with_as_many_servers() {
    SplittableRandom random = new SplittableRandom(47);
    for (int round = 0; round < 300; round++) {
      int servers = 1 + random.nextInt(5);
      long run = 1 + random.nextInt(900);
      Map<Integer, Long> counts = new java.util.HashMap<>();
      for (int herd = random.nextInt(6); herd >= 0; herd--) {
        counts.put(random.nextInt(HOURS * 60), 1L + random.nextInt(20));
      }
      PriorityQueue<Long> free = new PriorityQueue<>(Collections.nCopies(servers, 0L));
      List<long[]> waits = new ArrayList<>();
      for (int minute = 0; minute < HOURS * 60; minute++) {
        for (long fire = counts.getOrDefault(minute, 0L); fire > 0; fire--) {
          long came = 60L * minute;
          long start = Math.max(came, free.remove());
          free.add(start + run);
          if (!waits.isEmpty() && came <= waits.get(waits.size() - 1)[1]) {
            waits.get(waits.size() - 1)[1] = start;
          } else {
            waits.add(new long[] {came, start});
          }
        }
      }
      List<DrainForecast.Queue> expected = new ArrayList<>();
      List<DrainForecast.Queue> found =
          drain(limit(servers, null), Optional.of(Duration.ofSeconds(run)), counts);
      for (long[] wait : waits) {
        boolean isOver = wait[1] < 3600L * HOURS;
        if (wait[1] - wait[0] >= 60) {
          expected.add(
              new DrainForecast.Queue(
                  TWO.plusSeconds(wait[0]),
                  isOver ? Optional.of(TWO.plusSeconds(wait[1])) : Optional.empty(),
                  0));
        }
      }
      assertThat(found)
          .as("%s servers, %s s, %s", servers, run, counts)
          .usingRecursiveFieldByFieldElementComparatorIgnoringFields("most")
          .isEqualTo(expected);
    }
  }
}
