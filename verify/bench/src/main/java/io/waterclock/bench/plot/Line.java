package io.waterclock.bench.plot;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * One line of a plot.
 *
 * @param name in the legend
 * @param x ascending
 * @param y as many
 */
public record Line(String name, List<Double> x, List<Double> y) {
  private static final int STEPS_PER_DECADE = 20;

  public Line {
    x = List.copyOf(x);
    y = List.copyOf(y);
    if (x.size() != y.size()) {
      throw new IllegalArgumentException(x.size() + " values of x and " + y.size() + " of y");
    }
  }

  /**
   * The percentiles of a histogram of microseconds in milliseconds: from the smallest value up to
   * the percentile that one value decides, so that it shows its far end as well as its middle.
   */
  public static Line percentiles(String name, Histogram histogram) {
    List<Double> x = new ArrayList<>();
    List<Double> y = new ArrayList<>();
    double decades = Math.log10((double) Math.max(1, histogram.getTotalCount()));
    for (int step = 0; step <= decades * STEPS_PER_DECADE; step++) {
      double at = Math.pow(10, (double) step / STEPS_PER_DECADE);
      x.add(at);
      y.add(histogram.getValueAtPercentile(100 - 100 / at) / 1e3);
    }
    return new Line(name, x, y);
  }

  /** At most so many points of it, the first and the last among them. */
  public Line thinned(int points) {
    if (x.size() <= points) {
      return this;
    }
    List<Double> fewerX = new ArrayList<>(points);
    List<Double> fewerY = new ArrayList<>(points);
    for (int i = 0; i < points; i++) {
      int at = (int) ((long) i * (x.size() - 1) / (points - 1));
      fewerX.add(x.get(at));
      fewerY.add(y.get(at));
    }
    return new Line(name, fewerX, fewerY);
  }
}
