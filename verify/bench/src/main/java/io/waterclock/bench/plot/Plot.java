package io.waterclock.bench.plot;

import java.util.List;

/**
 * Lines over one pair of axes.
 *
 * @param name of the file, without its ending
 * @param title above the picture
 */
public record Plot(String name, String title, Axis x, Axis y, List<Line> lines) {
  private static final Axis SINCE_DUE = new Axis("since the fires were due, s", Scale.LINEAR);

  enum Scale {
    LINEAR,
    LOG,
    /** A percentile p is drawn at the logarithm of 100 / (100 - p), which is what lines give. */
    PERCENTILE
  }

  /**
   * An axis of a plot.
   *
   * @param label with the unit
   */
  record Axis(String label, Scale scale) {}

  public Plot {
    lines = List.copyOf(lines);
  }

  /** The lateness of fires: percentiles in milliseconds. */
  public static Plot lateness(String name, String title, List<Line> lines) {
    Axis percentiles = new Axis("percentile of the fires", Scale.PERCENTILE);
    return new Plot(name, title, percentiles, new Axis("from due to seen, ms", Scale.LOG), lines);
  }

  /** The fires of herds that consumers have seen, over time. */
  public static Plot drain(String name, String title, String seen, List<Line> lines) {
    return new Plot(name, title, SINCE_DUE, new Axis(seen, Scale.LINEAR), lines);
  }

  /** The cost of a number of schedules. */
  public static Plot cost(String name, String title, String unit, Line line) {
    Axis schedules = new Axis("schedules", Scale.LOG);
    return new Plot(name, title, schedules, new Axis(unit, Scale.LINEAR), List.of(line));
  }
}
