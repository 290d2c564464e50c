package io.waterclock.bench.meter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class DrainCurveTest {
  @Test
  void a_curve_has_a_point_every_5_ms_and_the_last_fire() {
    DrainCurve curve = new DrainCurve();
    curve.add(1_000, 1, false);
    curve.add(2_000, 2, false);
    curve.add(6_000, 3, false);
    curve.add(7_000, 4, true);

    assertThat(curve.line("all").x()).containsExactly(0.001, 0.006, 0.007);
    assertThat(curve.line("all").y()).containsExactly(1.0, 3.0, 4.0);
    assertThat(curve.parts("parts", 4).y()).containsExactly(25.0, 75.0, 100.0);
  }
}
