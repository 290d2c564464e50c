package io.waterclock.bench.chaos.account;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;

/** JSON as read. */
final class Trees {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Trees() {}

  static JsonNode parse(String json) {
    try {
      return MAPPER.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no JSON: " + json, e);
    }
  }

  static ObjectNode object(String json) {
    return (ObjectNode) parse(json);
  }

  static long ms(JsonNode tree, String field) {
    JsonNode value = tree.get(field);
    if (value == null || value.isNull()) {
      throw new IllegalArgumentException("no " + field + " in " + tree);
    }
    return Instant.parse(value.asText()).toEpochMilli();
  }
}
