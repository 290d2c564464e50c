package io.waterclock.bench.meter;

import io.waterclock.bench.plot.Line;
import java.util.ArrayList;
import java.util.List;

/** The number of fires seen over time, in steps that suit a plot. Not thread-safe. */
public final class DrainCurve {
  private static final long STEP_US = 5_000;

  private final List<Double> seconds = new ArrayList<>();
  private final List<Double> fires = new ArrayList<>();
  private long lastUs;

  /**
   * @param us microseconds since the fires were due
   * @param count seen so far, this one included
   * @param isLast of all
   */
  void add(long us, int count, boolean isLast) {
    if (fires.isEmpty() || us - lastUs >= STEP_US || isLast) {
      seconds.add(us / 1e6);
      fires.add((double) count);
      lastUs = us;
    }
  }

  /** In percent of all fires, for herds of several sizes. */
  public Line parts(String name, int all) {
    return new Line(name, seconds, fires.stream().map(seen -> 100 * seen / all).toList());
  }

  public Line line(String name) {
    return new Line(name, seconds, fires);
  }
}
