package io.waterclock.bench.plot;

import java.util.List;

/**
 * Lines over one pair of axes.
 *
 * @param name of the file, without its ending
 * @param title above the picture
 */
public record Plot(String name, String title, Axis x, Axis y, List<Line> lines) {
  public Plot {
    lines = List.copyOf(lines);
  }
}
