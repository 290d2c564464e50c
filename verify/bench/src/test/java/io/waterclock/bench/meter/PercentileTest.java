package io.waterclock.bench.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PercentileTest {
  /** The values 1 ms to 1,000 ms, each once, in microseconds. */
  private static Histogram thousand() {
    Histogram histogram = new Histogram(1, 10_000_000, 3);
    for (int ms = 1; ms <= 1_000; ms++) {
      histogram.recordValue(ms * 1_000L);
    }
    return histogram;
  }

  @ParameterizedTest
  @CsvSource({"P50, p50, 500", "P90, p90, 900", "P99, p99, 990", "P99_9, p99.9, 999"})
  void a_percentile_is_the_value_that_its_share_does_not_exceed(
      Percentile percentile, String title, double ms) {
    assertThat(percentile.title()).isEqualTo(title);
    assertThat(percentile.ms(thousand())).isCloseTo(ms, within(1.0));
  }

  @Test
  void the_maximum_is_the_largest_value() {
    assertThat(Percentile.MAX.ms(thousand())).isCloseTo(1_000, within(1.0));
  }
}
