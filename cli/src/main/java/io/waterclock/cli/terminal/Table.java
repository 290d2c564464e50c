package io.waterclock.cli.terminal;

import io.waterclock.schemas.text.SafeText;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** A table with columns as wide as their widest cell, and notes between the rows. */
public final class Table {
  private static final String GAP = "  ";

  private final List<Line> lines = new ArrayList<>();
  private final int[] widths;

  /** A row of cells, or a note: one cell that widens no column. */
  private record Line(List<String> cells, boolean note) {}

  public Table(String... headings) {
    this.widths = new int[headings.length];
    row(List.of(headings));
  }

  public void row(List<String> cells) {
    List<String> shown = cells.stream().map(SafeText::line).toList();
    for (int i = 0; i < widths.length; i++) {
      widths[i] = Math.max(widths[i], shown.get(i).length());
    }
    lines.add(new Line(shown, false));
  }

  /** A line about the row before it. */
  public void note(String text) {
    lines.add(new Line(List.of("  " + text), true));
  }

  public void print(PrintWriter out) {
    for (Line line : lines) {
      out.println(line.note() ? line.cells().get(0) : padded(line.cells()));
    }
  }

  private String padded(List<String> cells) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      text.append(cells.get(i)).append(" ".repeat(widths[i] - cells.get(i).length())).append(GAP);
    }
    return text.toString().stripTrailing();
  }
}
