package io.waterclock.bench.plot;

import java.util.ArrayList;
import java.util.List;

/**
 * One line of a plot.
 *
 * @param name in the legend
 * @param x ascending
 * @param y as many
 */
public record Line(String name, List<Double> x, List<Double> y) {
  public Line {
    x = List.copyOf(x);
    y = List.copyOf(y);
    if (x.size() != y.size()) {
      throw new IllegalArgumentException(x.size() + " values of x and " + y.size() + " of y");
    }
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
