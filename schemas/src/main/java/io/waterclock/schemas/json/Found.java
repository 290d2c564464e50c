package io.waterclock.schemas.json;

import com.fasterxml.jackson.databind.JsonNode;
import io.waterclock.schemas.text.Quoted;

/** Describes a JSON value of the wrong type. */
final class Found {
  private Found() {}

  static String in(JsonNode node) {
    return switch (node.getNodeType()) {
      case OBJECT -> "an object";
      case ARRAY -> "a list";
      case STRING -> "the text " + Quoted.of(node.textValue());
      case NUMBER -> "the number " + unquoted(node.numberValue().toString());
      case BOOLEAN -> node.booleanValue() ? "true" : "false";
      case BINARY -> "binary data";
      default -> "null";
    };
  }

  private static String unquoted(String number) {
    return number.length() > 40 ? number.substring(0, 40) + "..." : number;
  }
}
