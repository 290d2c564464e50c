package io.waterclock.bench.meter;

import org.HdrHistogram.Histogram;

/** The reported percentiles of histograms of microseconds. */
public enum Percentile {
  P50("p50", 50),
  P90("p90", 90),
  P99("p99", 99),
  P99_9("p99.9", 99.9),
  MAX("max", 100);

  private final String title;
  private final double percent;

  Percentile(String title, double percent) {
    this.title = title;
    this.percent = percent;
  }

  public String title() {
    return title;
  }

  public double ms(Histogram histogram) {
    return histogram.getValueAtPercentile(percent) / 1e3;
  }
}
