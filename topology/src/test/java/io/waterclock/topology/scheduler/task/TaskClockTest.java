package io.waterclock.topology.scheduler.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.topology.scheduler.context.ClockGuard.Reading;
import io.waterclock.topology.scheduler.guard.ClockWatch;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The task never follows a clock that steps between any two reads. */
final class TaskClockTest {
  private static final Instant START = Instant.parse("2026-11-21T10:00:00Z");
  private static final Duration YEAR = Duration.ofDays(365);

  private final SteppingClock wall = new SteppingClock();
  private final ClockWatch watch = new ClockWatch(wall, () -> wall.nanos, () -> Optional.of(START));

  /** Steps a year ahead after a number of reads. */
  private static final class SteppingClock implements InstantSource {
    private long nanos;
    private int looksUntilStep = Integer.MAX_VALUE;

    @Override
    public Instant instant() {
      Instant even = START.plusNanos(nanos);
      return looksUntilStep-- > 0 ? even : even.plus(YEAR);
    }
  }

  @Test
  void a_step_between_two_looks_is_never_believed() {
    for (int looks = 0; looks < 8; looks++) {
      wall.looksUntilStep = Integer.MAX_VALUE;
      watchAgrees();
      TaskClock clock = new TaskClock(watch);
      wall.looksUntilStep = looks;
      for (int i = 0; i < 4; i++) {
        assertThat(clock.now()).isBefore(START.plus(Duration.ofHours(1)));
        assertThat(clock.nowFor(START)).isBefore(START.plus(Duration.ofHours(1)));
      }
      assertThat(clock.read().now()).isBefore(START.plus(Duration.ofHours(1)));
    }
  }

  @Test
  void a_record_of_a_producer_that_is_as_wrong_is_admitted_at_the_time_of_the_brokers() {
    watchAgrees();
    TaskClock clock = new TaskClock(watch);
    assertThat(clock.read().isTrusted()).isTrue();
    wall.looksUntilStep = 0;
    watch.compare();

    assertThat(clock.nowFor(START.plus(YEAR))).isBetween(START, START.plusSeconds(1));
    assertThat(clock.read().isTrusted()).isFalse();
  }

  @Test
  void a_random_history_of_steps_never_moves_time_by_more_than_is_tolerated() {
    SplittableRandom random = new SplittableRandom(8);
    for (int trace = 0; trace < 200; trace++) {
      wall.looksUntilStep = Integer.MAX_VALUE;
      watchAgrees();
      TaskClock clock = new TaskClock(watch);
      wall.looksUntilStep = random.nextInt(30);
      for (int i = 0; i < 20; i++) {
        wall.nanos += random.nextLong(1_000_000);
        Instant now = random.nextBoolean() ? clock.now() : clock.nowFor(START);
        assertThat(now).isBefore(START.plusNanos(wall.nanos).plus(ClockWatch.TOLERANCE));
      }
    }
  }

  @Test
  void a_record_is_admitted_at_its_timestamp_where_the_clock_is_behind_the_brokers() {
    Instant slow = START.minus(Duration.ofHours(20));
    AtomicReference<Reading> reading = new AtomicReference<>(new Reading(slow, true, START));
    TaskClock clock = new TaskClock(reading::get);
    assertThat(clock.nowFor(START.minusSeconds(9))).isEqualTo(START.minusSeconds(9));
    assertThat(clock.nowFor(START.plusSeconds(9))).as("from a clock ahead").isEqualTo(START);
    assertThat(clock.nowFor(slow.minusSeconds(9))).as("from a slower one").isEqualTo(slow);
    assertThat(clock.now()).as("nothing fires by it").isEqualTo(slow);
    assertThat(clock.byBrokers()).isEqualTo(START);
    reading.set(new Reading(slow, false, START));
    assertThat(clock.nowFor(START.minusSeconds(9))).isEqualTo(START.minusSeconds(9));
    assertThat(clock.byBrokers()).as("no topic forgets by a wrong clock").isEqualTo(slow);
    reading.set(new Reading(slow, true));
    assertThat(clock.nowFor(START)).as("they agree").isEqualTo(slow);
  }

  private void watchAgrees() {
    wall.nanos = 0;
    watch.compare();
  }
}
