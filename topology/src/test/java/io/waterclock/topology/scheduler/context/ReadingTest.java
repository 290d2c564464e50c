package io.waterclock.topology.scheduler.context;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class ReadingTest {
  private static final Instant NOON = Instant.parse("2026-11-28T12:00:00Z");

  @Test
  void a_task_that_has_not_read_to_the_end_decides_nothing() {
    Reading reading = Reading.toTheEndFirst(NOON);
    assertThat(reading.decides()).isFalse();
    assertThat(reading.problem()).contains("has not read its input to the end yet");
    assertThat(reading.delay()).isZero();
  }

  @Test
  void a_task_keeps_up_that_is_five_seconds_behind() {
    Reading reading = through(NOON.minusSeconds(5));
    assertThat(reading.decides()).isTrue();
    assertThat(reading.problem()).isEmpty();
    assertThat(reading.delay()).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void a_task_that_is_further_behind_decides_what_is_due_by_what_it_has_read() {
    Reading reading = through(NOON.minusMillis(5_001));
    assertThat(reading.decides()).isTrue();
    assertThat(reading.problem())
        .contains(
            "reads what was written at 2026-11-28T11:59:54.999Z, and decides nothing that is due"
                + " later");
  }

  private static Reading through(Instant instant) {
    return Reading.through(instant, NOON);
  }
}
