package io.waterclock.schemas.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Maps, in the order of their keys. A broken value is reported and left out, by its number where
 * its name is hidden.
 */
record MapForm(ValueForm value) implements ValueForm {
  @Override
  public JsonNode write(Object map) {
    ObjectNode out = JsonNodeFactory.instance.objectNode();
    new TreeMap<Object, Object>((Map<?, ?>) map)
        .forEach((k, v) -> out.set((String) k, value.write(v)));
    return out;
  }

  @Override
  public Optional<Object> read(JsonNode node, Reading at) {
    if (!node.isObject()) {
      return at.mismatch(node, "an object", example());
    }
    Map<String, Object> map = new HashMap<>();
    int index = 0;
    for (Map.Entry<String, JsonNode> entry : node.properties()) {
      Reading here = at.isHidden() ? at.item(index) : at.field(entry.getKey());
      index++;
      value.read(entry.getValue(), here).ifPresent(v -> map.put(entry.getKey(), v));
    }
    return Optional.of(map);
  }

  @Override
  public String example() {
    return "{\"name\": " + value.example() + "}";
  }
}
