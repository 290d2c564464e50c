package io.waterclock.schemas.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import java.util.Optional;

/** True and false. */
enum BooleanForm implements ValueForm {
  INSTANCE;

  @Override
  public JsonNode write(Object value) {
    return BooleanNode.valueOf((Boolean) value);
  }

  @Override
  public Optional<Object> read(JsonNode node, Reading at) {
    if (!node.isBoolean()) {
      at.report("is " + Found.in(node) + " where true or false must be", at.example(example()));
      return Optional.empty();
    }
    return Optional.of(node.booleanValue());
  }

  @Override
  public String example() {
    return "true";
  }
}
