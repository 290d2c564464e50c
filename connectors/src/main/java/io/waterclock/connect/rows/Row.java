package io.waterclock.connect.rows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The values of a row by column name. They have only these types: {@link String}, {@link Boolean},
 * {@link Long}, {@link BigDecimal}, {@link java.time.Instant}, {@link java.time.LocalDateTime} and
 * {@code byte[]}. A null column is in {@code columns} only.
 *
 * @param values the values of the columns that are not null
 */
public record Row(List<String> columns, Map<String, Object> values) {

  /** Creates a row from values that may be null. */
  public static Row of(Map<String, ?> given) {
    Map<String, Object> values = new LinkedHashMap<>();
    given.forEach(
        (name, value) -> {
          if (value != null) {
            values.put(name, value);
          }
        });
    return new Row(List.copyOf(given.keySet()), Map.copyOf(values));
  }

  /** A number or a truth value as JSON; empty for any other value. */
  public static Optional<JsonNode> json(Object value) {
    if (value instanceof Long number) {
      return Optional.of(JsonNodeFactory.instance.numberNode(number));
    }
    if (value instanceof BigDecimal number) {
      return Optional.of(JsonNodeFactory.instance.numberNode(number));
    }
    return value instanceof Boolean flag
        ? Optional.of(JsonNodeFactory.instance.booleanNode(flag))
        : Optional.empty();
  }

  /** The value of a column; empty if the column is null or does not exist. */
  public Optional<Object> value(String column) {
    return Optional.ofNullable(values.get(column));
  }
}
