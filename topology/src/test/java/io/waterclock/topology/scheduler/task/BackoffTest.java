package io.waterclock.topology.scheduler.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class BackoffTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private final Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));

  @Test
  void the_first_try_waits_for_nothing() {
    assertThat(backoff.mayTry(NOW)).isTrue();
    assertThat(backoff.mayTry(Instant.EPOCH)).isTrue();
  }

  @Test
  void the_next_try_waits_until_the_pause_is_over() {
    assertThat(backoff.failed(NOW)).isEqualTo(Duration.ofSeconds(1));
    assertThat(backoff.mayTry(NOW.plusMillis(999))).isFalse();
    assertThat(backoff.mayTry(NOW.plusSeconds(1))).isTrue();
  }

  @Test
  void pauses_double_up_to_the_longest() {
    long[] seconds = new long[8];
    for (int i = 0; i < seconds.length; i++) {
      seconds[i] = backoff.failed(NOW).toSeconds();
    }
    assertThat(seconds).containsExactly(1, 2, 4, 8, 16, 30, 30, 30);
    assertThat(backoff.mayTry(NOW.plusSeconds(29))).isFalse();
    assertThat(backoff.mayTry(NOW.plusSeconds(30))).isTrue();
  }
}
