package io.waterclock.bench.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waterclock.bench.load.OpenLoop;
import io.waterclock.bench.load.ScheduleKind;
import io.waterclock.bench.load.Work;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class VoidRunTest {
  private static final Instant START = Instant.parse("2026-11-21T10:00:00Z");
  private static final Work HERD = Work.herd("herd", 3, START);
  private static final OpenLoop LOOP =
      new OpenLoop(START, 2, Duration.ofSeconds(1), Duration.ofSeconds(2), ScheduleKind.ONCE);

  @Test
  void a_herd_with_a_missing_fire_is_void_and_tells_how_many() {
    HerdMeter meter = new HerdMeter(HERD);
    meter.fired(0, dueMs(0), us(20));
    meter.fired(2, dueMs(0), us(30));

    assertThatThrownBy(() -> meter.await(START.plusSeconds(5)))
        .hasMessage("1 of 3 fires were missing 5 s after they were due");
  }

  @Test
  void a_herd_with_a_doubled_fire_is_void() {
    HerdMeter meter = new HerdMeter(HERD);
    for (int number : new int[] {0, 1, 1, 2}) {
      meter.fired(number, dueMs(0), us(20));
    }

    assertThatThrownBy(() -> meter.requireNoDoubles(Duration.ZERO)).hasMessage("1 came twice");
  }

  @Test
  void a_loop_with_a_missing_fire_is_void_but_one_of_the_warm_up_is_not_missed() {
    LatenessMeter meter = new LatenessMeter(LOOP);
    for (int number = 2; number < 5; number++) {
      meter.fired(number, LOOP.due(number).toEpochMilli(), us(5_000));
    }

    assertThatThrownBy(() -> meter.await(LOOP.end().plusSeconds(1)))
        .hasMessage("1 of 4 fires were missing 1 s after the last one was due");

    meter.fired(5, LOOP.due(5).toEpochMilli(), us(5_000));
    assertThat(meter.await(LOOP.end()).getTotalCount()).isEqualTo(4);
  }

  @Test
  void a_fire_that_comes_early_counts_by_how_early_it_was() {
    LatenessMeter meter = new LatenessMeter(LOOP);
    for (int number = 2; number < 6; number++) {
      meter.fired(number, LOOP.due(number).toEpochMilli(), us(0));
    }

    assertThat(meter.await(LOOP.end()).getMaxValue()).isBetween(2_500_000L, 2_502_000L);
    assertThat(meter.early()).isEqualTo(4);
  }

  private static long dueMs(int afterMs) {
    return START.toEpochMilli() + afterMs;
  }

  private static long us(int afterMs) {
    return dueMs(afterMs) * 1_000;
  }
}
