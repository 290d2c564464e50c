package io.waterclock.schemas.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.LongNode;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

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
