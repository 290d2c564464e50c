package io.waterclock.schemas.json;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * A field that differs between two JSON forms; empty where it has its default.
 *
 * @param name of the field
 */
public record FieldDifference(String name, Optional<JsonNode> before, Optional<JsonNode> after) {

  /** The fields of two forms that differ, in the order of their names. */
  public static List<FieldDifference> between(JsonNode before, JsonNode after) {
    TreeSet<String> names = new TreeSet<>();
    before.fieldNames().forEachRemaining(names::add);
    after.fieldNames().forEachRemaining(names::add);
    return names.stream()
        .map(
            name ->
                new FieldDifference(
                    name,
                    Optional.ofNullable(before.get(name)),
                    Optional.ofNullable(after.get(name))))
        .filter(field -> !field.before().equals(field.after()))
        .toList();
  }

  @Override
  public String toString() {
    return name + ": " + text(before) + " -> " + text(after);
  }

  private static String text(Optional<JsonNode> value) {
    return value.map(JsonNode::toString).orElse("(default)");
  }
}
