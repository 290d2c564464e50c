package io.waterclock.occurrences;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JitterTest {

  private static final Instant NINE = Instant.parse("2026-01-01T09:00:00Z");

  @Test
  void due_is_the_same_everywhere_and_always() {
    Jitter jitter = Jitter.of(Duration.ofMinutes(10));
    assertThat(jitter.due("orders/close", NINE, NINE, Optional.empty()))
        .isEqualTo(Instant.parse("2026-01-01T09:02:09.580Z"));
    assertThat(jitter.due("orders/open", NINE, NINE, Optional.empty()))
        .isEqualTo(Instant.parse("2026-01-01T09:03:52.997Z"));
  }

  @Test
  void no_jitter_leaves_the_occurrence() {
    assertThat(Jitter.of(Duration.ZERO).due("a", NINE, NINE, Optional.empty())).isEqualTo(NINE);
    assertThat(Jitter.of(Duration.ofNanos(999_999)).due("a", NINE, NINE, Optional.empty()))
        .isEqualTo(NINE);
  }

  @Test
  void due_stays_before_the_next_occurrence_and_within_the_bound() {
    Jitter jitter = Jitter.of(Duration.ofHours(1));
    for (int i = 0; i < 10_000; i++) {
      Instant next = NINE.plusMillis(1 + i);
      assertThat(jitter.due("id" + i, NINE, NINE, Optional.of(next)))
          .isBetween(NINE, next.minusMillis(1));
      assertThat(jitter.due("id" + i, NINE, NINE, Optional.empty()))
          .isBetween(NINE, NINE.plusMillis(3_599_999))
          .isEqualTo(jitter.due("id" + i, NINE, NINE, Optional.of(NINE.plusSeconds(7_200))));
    }
  }

  @Test
  void due_instants_spread_evenly() {
    Jitter jitter = Jitter.of(Duration.ofMillis(10));
    int[] buckets = new int[10];
    for (int i = 0; i < 100_000; i++) {
      Instant due = jitter.due("schedule-" + i, NINE, NINE, Optional.empty());
      buckets[(int) Duration.between(NINE, due).toMillis()]++;
    }
    for (int bucket : buckets) {
      assertThat(bucket).isBetween(9_500, 10_500);
    }
  }
}
