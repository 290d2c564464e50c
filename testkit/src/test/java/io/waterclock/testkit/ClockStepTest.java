package io.waterclock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waterclock.schemas.avro.Fire;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

/** One bad step of the clock must not fire years, nor stop the partition for years. */
final class ClockStepTest {
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  private static final Duration YEAR = Duration.ofDays(365);

  @Test
  void a_step_that_is_not_believed_leaves_no_trace_once_it_is_undone() {
    try (SchedulerHarness scheduler = Harnesses.ticking(START, Duration.ofMinutes(1))) {
      scheduler.put("a", "{\"every\":\"1h\",\"catch_up\":\"replay\"}");
      scheduler.advance(Duration.ofHours(2));
      assertThat(scheduler.fires("a")).hasSize(2);

      Instant now = scheduler.now();
      scheduler.trustClock(false);
      scheduler.setClock(now.plus(YEAR));
      scheduler.advance(Duration.ofMinutes(5));
      scheduler.setClock(now.plus(Duration.ofMinutes(5)));
      scheduler.trustClock(true);
      scheduler.advance(Duration.ofHours(2));

      assertThat(scheduler.fires("a")).hasSize(4);
      assertThat(scheduler.fires("a"))
          .extracting(Fire::getFiredAt)
          .allMatch(at -> at.isBefore(START.plus(Duration.ofDays(1))));
    }
  }

  @Test
  void a_start_with_a_clock_that_is_not_believed_takes_records_at_their_own_time() {
    try (SchedulerHarness scheduler = Harnesses.ticking(START, Duration.ofMinutes(1))) {
      scheduler.stop();
      scheduler.trustClock(false);
      scheduler.setClock(START.plus(YEAR));
      scheduler.start();
      scheduler.send(
          "a",
          "{\"every\":\"1h\",\"catch_up\":\"replay\"}".getBytes(StandardCharsets.UTF_8),
          START,
          new RecordHeaders());
      scheduler.setClock(START.plus(Duration.ofMinutes(1)));
      scheduler.trustClock(true);
      scheduler.advance(Duration.ofHours(3));

      assertThat(scheduler.fires("a"))
          .extracting(Fire::getOccurrence)
          .containsExactly(
              START.plus(Duration.ofHours(1)),
              START.plus(Duration.ofHours(2)),
              START.plus(Duration.ofHours(3)));
    }
  }
}
