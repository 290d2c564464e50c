package io.waterclock.runtime.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.schemas.text.SafeText;

/** An answer over HTTP. */
record Page(int status, String contentType, String text) {

  /** The media type of RFC 9457. */
  private static final String PROBLEM = "application/problem+json";

  static Page text(int status, String line) {
    return new Page(status, "text/plain; charset=utf-8", SafeText.lines(line) + "\n");
  }

  static Page json(int status, JsonNode tree) {
    return new Page(status, "application/json", SafeText.line(tree.toString()) + "\n");
  }

  /**
   * A problem report for programs and people.
   *
   * @param detail a sentence
   */
  static Page problem(int status, String title, String detail) {
    return problem(status, title, detail, JsonNodeFactory.instance.objectNode());
  }

  /**
   * @param more members beyond those of the RFC
   */
  static Page problem(int status, String title, String detail, ObjectNode more) {
    ObjectNode tree = JsonNodeFactory.instance.objectNode();
    tree.put("title", title).put("status", status).put("detail", detail).setAll(more);
    return new Page(status, PROBLEM, SafeText.line(tree.toString()) + "\n");
  }
}
