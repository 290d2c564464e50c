package io.waterclock.schemas.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Optional;

/** Whole numbers. */
enum NumberForm implements ValueForm {
  INT {
    @Override
    public JsonNode write(Object value) {
      return JsonNodeFactory.instance.numberNode((Integer) value);
    }

    @Override
    boolean fits(JsonNode number) {
      return number.canConvertToInt();
    }

    @Override
    Object value(JsonNode number) {
      return number.intValue();
    }
  },
  LONG {
    @Override
    public JsonNode write(Object value) {
      return JsonNodeFactory.instance.numberNode((Long) value);
    }

    @Override
    boolean fits(JsonNode number) {
      return number.canConvertToLong();
    }

    @Override
    Object value(JsonNode number) {
      return number.longValue();
    }
  };

  abstract boolean fits(JsonNode number);

  abstract Object value(JsonNode number);

  @Override
  public Optional<Object> read(JsonNode node, Reading at) {
    if (!node.isIntegralNumber()) {
      at.report("is " + Found.in(node) + " where a whole number must be", at.example(example()));
      return Optional.empty();
    }
    if (!fits(node)) {
      at.report("is " + Found.in(node) + ", which is too large", at.example(example()));
      return Optional.empty();
    }
    return Optional.of(value(node));
  }

  @Override
  public String example() {
    return "10";
  }
}
