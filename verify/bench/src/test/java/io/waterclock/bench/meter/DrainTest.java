package io.waterclock.bench.meter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class DrainTest {
  @Test
  void what_the_first_poll_brought_is_no_part_of_the_drain_rate() {
    Drain drain = new Drain(1_000, 200, 0, 100_000, 500_000);

    assertThat(drain.rate()).isEqualTo(2_000.0);
    assertThat(drain.drainRate()).isEqualTo(2_000.0);
  }

  @Test
  void a_herd_that_began_early_took_from_its_first_fire_on() {
    assertThat(new Drain(1_000, 1, 600, -300_000, 200_000).rate()).isEqualTo(2_000.0);
    assertThat(new Drain(1_000, 1, 1_000, -500_000, -100_000).rate()).isPositive();
  }
}
