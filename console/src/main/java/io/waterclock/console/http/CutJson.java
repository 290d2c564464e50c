package io.waterclock.console.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.schemas.text.SafeText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;

/** Values of definitions with a bounded part of each, as lists have it. */
final class CutJson {
  /** In characters of the text, or of the JSON of what is no text. */
  static final int LONGEST = 1_000;

  private static final ObjectMapper JSON = new ObjectMapper();

  private CutJson() {}

  /** Sets a field to a value, or to the beginning of its text, and {@code cut} if it is longer. */
  static void put(String field, JsonNode value, ObjectNode tree) {
    String text = value.isTextual() ? value.textValue() : beginning(value);
    if (text.length() <= LONGEST) {
      tree.set(field, value);
    } else {
      tree.put(field, SafeText.cut(text, LONGEST)).put("cut", true);
    }
  }

  private static String beginning(JsonNode value) {
    Beginning beginning = new Beginning();
    try {
      JSON.writeValue(beginning, value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return beginning.text.toString();
  }

  /** Keeps one character more than what is shown. */
  private static final class Beginning extends Writer {
    private final StringBuilder text = new StringBuilder();

    @Override
    public void write(char[] more, int offset, int length) {
      text.append(more, offset, Math.min(length, LONGEST + 1 - text.length()));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
