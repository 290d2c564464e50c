package io.waterclock.bench.report;

import io.waterclock.bench.plot.Axis;
import io.waterclock.bench.plot.Axis.Scale;
import io.waterclock.bench.plot.Distribution;
import io.waterclock.bench.plot.Line;
import io.waterclock.bench.plot.Plot;
import java.util.List;
import org.HdrHistogram.Histogram;

/** The pictures that several subcommands draw alike. */
public final class Plots {
  private static final Axis SINCE_DUE = new Axis("since the fires were due, s", Scale.LINEAR);

  private Plots() {}

  /** The percentiles of a histogram of microseconds as a line in milliseconds. */
  public static Line ms(String name, Histogram histogram) {
    return Distribution.line(name, histogram, 1e3);
  }

  /** The lateness of fires: percentiles in milliseconds. */
  public static Plot lateness(String name, String title, List<Line> lines) {
    Axis percentiles = new Axis("percentile of the fires", Scale.PERCENTILE);
    return new Plot(name, title, percentiles, new Axis("from due to seen, ms", Scale.LOG), lines);
  }

  /** The fires of herds that consumers have seen, over time. */
  public static Plot drain(String name, String title, List<Line> lines) {
    return new Plot(name, title, SINCE_DUE, new Axis("fires seen", Scale.LINEAR), lines);
  }

  /** As {@link #drain}, in percent, for herds of several sizes. */
  public static Plot drainParts(String name, String title, List<Line> lines) {
    Axis parts = new Axis("fires seen, % of the herd", Scale.LINEAR);
    return new Plot(name, title, SINCE_DUE, parts, lines);
  }

  /** The cost of a number of schedules. */
  public static Plot cost(String name, String title, String unit, Line line) {
    Axis schedules = new Axis("schedules", Scale.LOG);
    return new Plot(name, title, schedules, new Axis(unit, Scale.LINEAR), List.of(line));
  }
}
