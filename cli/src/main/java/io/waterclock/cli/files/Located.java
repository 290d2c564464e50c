package io.waterclock.cli.files;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Map;

/**
 * A document of a file, or an item of a document that is a list.
 *
 * @param line its first line, from 1
 * @param lines the line of each field by its path, such as {@code target.topic} or {@code skip[2]}
 */
record Located(JsonNode tree, int line, Map<String, Integer> lines) {
  /** Its numbers keep their digits. */
  static final JsonNodeFactory NODES = new JsonNodeFactory(true);

  /** Deeper values are refused. */
  static final int MOST_DEPTH = 200;

  /** No problem is about a field that lies deeper. */
  private static final int DEEPEST_FIELD = 4;

  /**
   * A location while a file is read.
   *
   * @param lines of the document, filled on the way
   */
  record Path(String text, int depth, Map<String, Integer> lines) {
    Path field(String name, int line) {
      return inside(text.isEmpty() ? name : text + "." + name, line);
    }

    Path item(int index, int line) {
      return inside(text + "[" + index + "]", line);
    }

    private Path inside(String path, int line) {
      if (depth < DEEPEST_FIELD) {
        lines.put(path, line);
      }
      return new Path(depth < DEEPEST_FIELD ? path : "", depth + 1, lines);
    }
  }
}
