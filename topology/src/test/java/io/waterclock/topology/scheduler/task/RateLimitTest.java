package io.waterclock.topology.scheduler.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class RateLimitTest {
  private static final Instant START = Instant.parse("2026-03-04T10:00:00Z");

  @Test
  void it_begins_with_nothing_and_grows_with_time() {
    RateLimit allowance = new RateLimit(30);
    allowance.grow(START);
    assertThat(allowance.left()).isZero();
    allowance.grow(START.plusMillis(33));
    assertThat(allowance.left()).isZero();
    allowance.grow(START.plusMillis(34));
    assertThat(allowance.left()).isEqualTo(1);
    allowance.use(1);
    allowance.grow(START.plusMillis(34));
    assertThat(allowance.left()).isZero();
  }

  @Test
  void small_steps_lose_nothing() {
    RateLimit allowance = new RateLimit(7);
    int fired = 0;
    for (int ms = 0; ms <= 10_000; ms += 5) {
      allowance.grow(START.plusMillis(ms));
      fired += allowance.left();
      allowance.use(allowance.left());
    }
    assertThat(fired).isEqualTo(70);
  }

  @Test
  void what_was_not_used_is_kept_for_a_second_at_most() {
    RateLimit allowance = new RateLimit(10);
    allowance.grow(START);
    allowance.grow(START.plusSeconds(3_600));
    assertThat(allowance.left()).isEqualTo(10);
  }
}
