package io.waterclock.console.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;

/** An answer of the console. Its bytes are made when there is room for them. */
record HttpAnswer(int status, String type, JsonNode body) {

  static HttpAnswer json(JsonNode tree) {
    return json(200, tree);
  }

  /** Of JSON as it is written. */
  static HttpAnswer json(String text) {
    return json(JsonNodeFactory.instance.rawValueNode(new RawValue(text)));
  }

  static HttpAnswer json(int status, JsonNode tree) {
    return new HttpAnswer(status, "application/json", tree);
  }

  /**
   * A problem report as RFC 9457 has it.
   *
   * @param detail a sentence that says what would be right
   */
  static HttpAnswer problem(int status, String title, String detail) {
    ObjectNode tree =
        JsonNodeFactory.instance
            .objectNode()
            .put("title", title)
            .put("status", status)
            .put("detail", detail);
    return new HttpAnswer(status, "application/problem+json", tree);
  }

  /** The same report with one member more. */
  HttpAnswer with(String name, String value) {
    return new HttpAnswer(status, type, ((ObjectNode) body.deepCopy()).put(name, value));
  }
}
