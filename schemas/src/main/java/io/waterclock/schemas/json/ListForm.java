package io.waterclock.schemas.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Arrays. A broken item is reported and left out. */
record ListForm(ValueForm item) implements ValueForm {
  @Override
  public JsonNode write(Object value) {
    ArrayNode out = JsonNodeFactory.instance.arrayNode();
    ((List<?>) value).forEach(v -> out.add(item.write(v)));
    return out;
  }

  @Override
  public Optional<Object> read(JsonNode node, Reading at) {
    if (!node.isArray()) {
      return at.mismatch(node, "a list", example());
    }
    List<Object> items = new ArrayList<>();
    for (int i = 0; i < node.size(); i++) {
      item.read(node.get(i), at.item(i)).ifPresent(items::add);
    }
    return Optional.of(items);
  }

  @Override
  public String example() {
    return "[" + item.example() + "]";
  }
}
