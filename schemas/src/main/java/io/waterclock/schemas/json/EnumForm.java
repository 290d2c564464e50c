package io.waterclock.schemas.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.waterclock.schemas.text.Nearest;
import io.waterclock.schemas.text.Quoted;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;

/**
 * Enum values, written as the symbols that Avro has; reading takes either case, and {@code -} for
 * {@code _}.
 */
record EnumForm(Map<String, Object> constants) implements ValueForm {
  static EnumForm of(Schema schema) {
    Map<String, Object> constants = new LinkedHashMap<>();
    for (String symbol : schema.getEnumSymbols()) {
      constants.put(symbol.toLowerCase(Locale.ROOT), SpecificData.get().createEnum(symbol, schema));
    }
    return new EnumForm(constants);
  }

  @Override
  public JsonNode write(Object value) {
    return TextNode.valueOf(value.toString());
  }

  @Override
  public Optional<Object> read(JsonNode node, Reading at) {
    String choices = String.join(", ", constants.keySet());
    if (!node.isTextual()) {
      return at.mismatch(node, "one of " + choices, example());
    }
    String name = node.textValue().strip().toLowerCase(Locale.ROOT).replace('-', '_');
    Optional<Object> constant = Optional.ofNullable(constants.get(name));
    if (constant.isEmpty()) {
      String nearest = Nearest.to(name, constants.keySet());
      at.reportUnknown(
          Quoted.of(node.textValue()) + " is none of " + choices, at.example('"' + nearest + '"'));
    }
    return constant;
  }

  @Override
  public String example() {
    return '"' + constants.keySet().iterator().next() + '"';
  }
}
