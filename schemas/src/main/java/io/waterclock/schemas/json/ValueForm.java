package io.waterclock.schemas.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.waterclock.schemas.text.Nearest;
import io.waterclock.schemas.text.Quoted;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;

/** How the values of one Avro type are written in JSON. Thread-safe. */
interface ValueForm {
  JsonNode write(Object value);

  /** The value, or nothing after reporting why not. */
  Optional<Object> read(JsonNode node, Reading at);

  /** A valid value, as JSON. */
  String example();

  /**
   * True and false, and whole numbers.
   *
   * @param kind the term for such a value in messages
   * @param isKind whether a JSON value is one
   * @param fits whether one is within the range of the Avro type
   */
  record ScalarForm(
      String kind,
      String example,
      Predicate<JsonNode> isKind,
      Predicate<JsonNode> fits,
      Function<JsonNode, Object> toValue,
      Function<Object, JsonNode> toNode)
      implements ValueForm {
    static final ScalarForm BOOLEAN =
        new ScalarForm(
            "true or false",
            "true",
            JsonNode::isBoolean,
            node -> true,
            JsonNode::booleanValue,
            value -> BooleanNode.valueOf((Boolean) value));
    static final ScalarForm INT =
        new ScalarForm(
            "a whole number",
            "10",
            JsonNode::isIntegralNumber,
            JsonNode::canConvertToInt,
            JsonNode::intValue,
            value -> IntNode.valueOf((Integer) value));
    static final ScalarForm LONG =
        new ScalarForm(
            "a whole number",
            "10",
            JsonNode::isIntegralNumber,
            JsonNode::canConvertToLong,
            JsonNode::longValue,
            value -> LongNode.valueOf((Long) value));

    @Override
    public JsonNode write(Object value) {
      return toNode.apply(value);
    }

    @Override
    public Optional<Object> read(JsonNode node, Reading at) {
      if (!isKind.test(node)) {
        return at.mismatch(node, kind, example);
      }
      if (!fits.test(node)) {
        at.report("is " + at.shown(node) + ", which is too large", at.example(example));
        return Optional.empty();
      }
      return Optional.of(toValue.apply(node));
    }
  }

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

  /**
   * Enum values, written as the symbols that Avro has; reading takes either case, and {@code -} for
   * {@code _}.
   */
  record EnumForm(Map<String, Object> constants) implements ValueForm {
    static EnumForm of(Schema schema) {
      Map<String, Object> constants = new LinkedHashMap<>();
      for (String symbol : schema.getEnumSymbols()) {
        constants.put(
            symbol.toLowerCase(Locale.ROOT), SpecificData.get().createEnum(symbol, schema));
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
            Quoted.of(node.textValue()) + " is none of " + choices,
            at.example('"' + nearest + '"'));
      }
      return constant;
    }

    @Override
    public String example() {
      return '"' + constants.keySet().iterator().next() + '"';
    }
  }
}
