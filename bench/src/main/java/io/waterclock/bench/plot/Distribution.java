package io.waterclock.bench.plot;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** The percentiles of a histogram as a line that shows its far end as well as its middle. */
public final class Distribution {
  private static final int STEPS_PER_DECADE = 20;

  private Distribution() {}

  /**
   * A line from the smallest value up to the percentile that one value decides.
   *
   * @param divisor what a value of the histogram is divided by, for the unit of the plot
   */
  public static Line line(String name, Histogram histogram, double divisor) {
    List<Double> x = new ArrayList<>();
    List<Double> y = new ArrayList<>();
    double decades = Math.log10((double) Math.max(1, histogram.getTotalCount()));
    for (int step = 0; step <= decades * STEPS_PER_DECADE; step++) {
      double at = Math.pow(10, (double) step / STEPS_PER_DECADE);
      x.add(at);
      y.add(histogram.getValueAtPercentile(100 - 100 / at) / divisor);
    }
    return new Line(name, x, y);
  }
}
