package io.waterclock.connect.rows;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A row by the names of its columns. Values are of these types alone: {@link String}, {@link
 * Boolean}, {@link Long}, {@link java.math.BigDecimal}, {@link java.time.Instant}, {@link
 * java.time.LocalDateTime} and {@code byte[]}. A column that is null is in {@code columns} only.
 *
 * @param columns the names of all columns
 * @param values of the columns that are not null
 */
public record Row(List<String> columns, Map<String, Object> values) {

  /** A row from values that may be null. */
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

  /** Empty where the column is null or there is none. */
  public Optional<Object> value(String column) {
    return Optional.ofNullable(values.get(column));
  }
}
