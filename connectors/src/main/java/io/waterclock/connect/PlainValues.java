package io.waterclock.connect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.connect.rows.Row;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.time.temporal.ValueRange;
import java.util.Collection;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;
import org.jspecify.annotations.Nullable;

/**
 * Converts the values of Connect records to the types of a {@link Row}. It recognises Connect's and
 * Debezium's logical types by their names.
 */
final class PlainValues {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final Pattern INTERVAL =
      Pattern.compile("(P(?:-?\\d+Y)?(?:-?\\d+M)?(?:-?\\d+W)?(?:-?\\d+D)?)(?:T(.+))?");
  private static final ValueRange EPOCH_DAYS = ChronoField.EPOCH_DAY.range();
  private static final Pattern ZERO = Pattern.compile("(?<![\\d.])-?0+(?:\\.0+)?[A-Z]");

  private PlainValues() {}

  /**
   * Converts a struct, or the map of a record without a schema, to a row.
   *
   * @throws DataException for anything else
   */
  static Row row(Object value) {
    Map<String, @Nullable Object> columns = new LinkedHashMap<>();
    if (value instanceof Struct struct) {
      for (Field field : struct.schema().fields()) {
        columns.put(field.name(), plain(field.schema(), struct.get(field)));
      }
    } else if (value instanceof Map<?, ?> map) {
      map.forEach((name, given) -> columns.put(String.valueOf(name), plain(null, given)));
    } else {
      throw new DataException(
          "the record does not contain a row, but "
              + value.getClass().getSimpleName()
              + "; ScheduleRow reads Debezium's change events, or structs with a field for each"
              + " column");
    }
    return Row.of(columns);
  }

  /** Any value as text, for a person; JSON for a value with fields or items. */
  static @Nullable String text(@Nullable Object value) {
    if (value == null || value instanceof String) {
      return (String) value;
    }
    JsonNode tree = tree(null, value);
    return tree.isTextual() ? tree.textValue() : tree.toString();
  }

  private static @Nullable Object plain(@Nullable Schema schema, @Nullable Object value) {
    if (value == null) {
      return null;
    }
    return Optional.ofNullable(schema)
        .map(Schema::name)
        .flatMap(name -> logical(name, value))
        .orElseGet(() -> byType(value));
  }

  private static Optional<Object> logical(String name, Object value) {
    return switch (name) {
      case "io.debezium.time.Timestamp" -> number(value).map(n -> local(n, ChronoUnit.MILLIS));
      case "io.debezium.time.MicroTimestamp" -> number(value).map(n -> local(n, ChronoUnit.MICROS));
      case "io.debezium.time.NanoTimestamp" -> number(value).map(n -> local(n, ChronoUnit.NANOS));
      case "io.debezium.time.Date" ->
          number(value)
              .filter(EPOCH_DAYS::isValidValue)
              .map(days -> LocalDate.ofEpochDay(days).atStartOfDay());
      case "io.debezium.time.MicroDuration" ->
          number(value).map(micros -> Duration.of(micros, ChronoUnit.MICROS).toString());
      case "io.debezium.time.Interval" -> Optional.of(interval(value.toString()));
      case "io.debezium.time.ZonedTimestamp" -> Optional.of(zoned(value.toString()));
      case "io.debezium.data.VariableScaleDecimal" -> variable(value);
      default -> Optional.empty();
    };
  }

  private static Object byType(Object value) {
    if (value instanceof Byte
        || value instanceof Short
        || value instanceof Integer
        || value instanceof Long) {
      return ((Number) value).longValue();
    }
    if (value instanceof Float || value instanceof Double) {
      double number = ((Number) value).doubleValue();
      return Double.isFinite(number) ? new BigDecimal(value.toString()) : value.toString();
    }
    if (value instanceof Date date) {
      return LocalDateTime.ofInstant(date.toInstant(), ZoneOffset.UTC);
    }
    if (value instanceof ByteBuffer buffer) {
      return Utils.toArray(buffer);
    }
    if (value instanceof BigDecimal
        || value instanceof Boolean
        || value instanceof String
        || value instanceof byte[]) {
      return value;
    }
    return tree(null, value).toString();
  }

  private static Optional<Long> number(Object value) {
    return value instanceof Number number ? Optional.of(number.longValue()) : Optional.empty();
  }

  private static LocalDateTime local(long count, ChronoUnit unit) {
    return LocalDateTime.ofInstant(Instant.EPOCH.plus(count, unit), ZoneOffset.UTC);
  }

  private static Object zoned(String text) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      return text;
    }
  }

  private static Optional<Object> variable(Object value) {
    return value instanceof Struct decimal
            && decimal.schema().field("value") != null
            && decimal.schema().field("scale") != null
            && byType(decimal.get("value")) instanceof byte[] digits
            && digits.length > 0
            && decimal.get("scale") instanceof Integer scale
        ? Optional.of(new BigDecimal(new BigInteger(digits), scale))
        : Optional.empty();
  }

  /** PostgreSQL writes all parts of an interval, also zeros: {@code P0Y0M0DT0H30M0S}. */
  private static String interval(String text) {
    Matcher parts = INTERVAL.matcher(text);
    if (!parts.matches()) {
      return text;
    }
    try {
      Period dates = Period.parse(parts.group(1) + (parts.group(1).equals("P") ? "0D" : ""));
      String times = parts.group(2) == null ? "" : ZERO.matcher(parts.group(2)).replaceAll("");
      if (times.isEmpty()) {
        return dates.toString();
      }
      return (dates.isZero() ? "P" : dates.toString()) + "T" + times;
    } catch (DateTimeException e) {
      return text;
    }
  }

  private static JsonNode tree(@Nullable Schema schema, @Nullable Object value) {
    if (value == null) {
      return NODES.nullNode();
    }
    if (value instanceof Struct struct) {
      ObjectNode object = NODES.objectNode();
      for (Field field : struct.schema().fields()) {
        object.set(field.name(), tree(field.schema(), struct.get(field)));
      }
      return object;
    }
    if (value instanceof Map<?, ?> map) {
      ObjectNode object = NODES.objectNode();
      map.forEach((name, item) -> object.set(String.valueOf(name), tree(null, item)));
      return object;
    }
    if (value instanceof Collection<?> items) {
      ArrayNode array = NODES.arrayNode();
      items.forEach(item -> array.add(tree(null, item)));
      return array;
    }
    return scalar(plain(schema, value));
  }

  private static JsonNode scalar(@Nullable Object plain) {
    return plain instanceof byte[] bytes
        ? NODES.binaryNode(bytes)
        : Optional.ofNullable(plain)
            .flatMap(Row::json)
            .orElseGet(() -> NODES.textNode(String.valueOf(plain)));
  }
}
