package io.waterclock.cli.files;

import java.util.Map;

/**
 * Where a schedule or a calendar stands.
 *
 * @param line its first line, from 1
 * @param lines the line of each of its fields, by the field's path as problems name it
 */
public record Source(String file, int line, Map<String, Integer> lines) {
  public Source {
    lines = Map.copyOf(lines);
  }

  /** Its first line: {@code FILE:LINE}. */
  public String place() {
    return file + ":" + line;
  }

  /** The line of a field, or of the nearest field around it. */
  public String place(String field) {
    String path = field;
    while (!path.isEmpty() && !lines.containsKey(path)) {
      path = path.substring(0, Math.max(0, Math.max(path.lastIndexOf('.'), path.lastIndexOf('['))));
    }
    return file + ":" + lines.getOrDefault(path, line);
  }
}
