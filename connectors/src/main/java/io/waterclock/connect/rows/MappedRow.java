package io.waterclock.connect.rows;

import static io.waterclock.connect.rows.RowField.TIMEZONE;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.waterclock.schemas.json.JsonText;
import io.waterclock.schemas.text.Instants;
import io.waterclock.schemas.text.InvalidValueException;
import io.waterclock.schemas.text.SafeText;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A row with its mapping: the value of each field, in the form of a definition. */
record MappedRow(RowMapping mapping, Row row) {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final Set<String> TRUE = Set.of("true", "t", "yes", "y", "on", "1");
  private static final Set<String> FALSE = Set.of("false", "f", "no", "n", "off", "0");

  /** Debezium's placeholder for a value that it does not know. */
  private static final String UNAVAILABLE = "__debezium_unavailable_value";

  private static final Pattern TIME =
      Pattern.compile(
          "(?<year>\\d{4})(?<dash>-?)(?<month>\\d{2})\\k<dash>(?<day>\\d{2})(?:[T ](?<hour>\\d{2})"
              + "(?<colon>:?)(?<minute>\\d{2})(?:\\k<colon>(?<second>\\d{2}(?:[.,]\\d{1,9})?))?"
              + " ?(?:(?<utc>Z)|(?<offset>[+-]\\d{2})(?::?(?<offsetMinute>\\d{2}))?)?)?");

  private static final String NOW = "now";
  private static final int SHOWN = 60;

  /** The column's value, or else the constant; an empty text counts as no value. */
  Optional<Object> said(RowField field) {
    Optional<Object> value =
        Optional.ofNullable(mapping.columns().get(field))
            .flatMap(row::value)
            .filter(given -> !(given instanceof String text && text.isBlank()));
    if (value.filter(UNAVAILABLE::equals).isPresent()) {
      throw bad(
          field,
          "is missing in this update: the database does not log large unchanged values. Configure"
              + " the database to log whole rows (PostgreSQL: ALTER TABLE ... REPLICA IDENTITY"
              + " FULL)");
    }
    return value.or(() -> Optional.ofNullable(mapping.constants().get(field)));
  }

  Optional<String> text(RowField field) {
    return said(field).map(value -> plain(field, value));
  }

  Optional<Boolean> flag(RowField field) {
    return said(field).map(value -> flag(field, value));
  }

  /** The JSON value of a field; empty if the row has no value. */
  Optional<JsonNode> node(RowField field) {
    return said(field).map(value -> node(field, value));
  }

  /** The instant of a field; empty if the row has no value or "now". */
  Optional<Instant> instant(RowField field) {
    return said(field).filter(value -> !isNow(value)).map(value -> instant(field, value));
  }

  private JsonNode node(RowField field, Object value) {
    return switch (field.form()) {
      case TEXT -> NODES.textNode(plain(field, value));
      case NUMBER -> number(field, value);
      case BOOLEAN -> NODES.booleanNode(flag(field, value));
      case TIME -> NODES.textNode(isNow(value) ? NOW : instant(field, value).toString());
      case INTERVAL -> NODES.textNode(interval(field, value));
      case DURATION -> NODES.textNode(duration(field, value));
      case PAYLOAD -> payload(field, value);
      case JSON -> json(field, value);
    };
  }

  private JsonNode number(RowField field, Object value) {
    String digits = plain(field, value);
    try {
      return number(new BigDecimal(digits));
    } catch (NumberFormatException e) {
      throw bad(field, "is " + shown(digits) + " where a number must be; for example 5");
    }
  }

  private static JsonNode number(BigDecimal number) {
    try {
      return NODES.numberNode(number.longValueExact());
    } catch (ArithmeticException e) {
      return NODES.numberNode(number);
    }
  }

  /** The digits of a number, without trailing zeros after the decimal point. */
  private static String digits(Object value) {
    return value instanceof BigDecimal decimal
        ? decimal.stripTrailingZeros().toPlainString()
        : value.toString();
  }

  private String interval(RowField field, Object value) {
    boolean isNumber =
        value instanceof Long
            || value instanceof BigDecimal
            || (value instanceof String text && text.strip().matches("[0-9]+"));
    if (!isNumber) {
      return plain(field, value);
    }
    String unit =
        text(RowField.EVERY_UNIT)
            .orElseThrow(
                () ->
                    bad(
                        field,
                        "is the number "
                            + shown(value)
                            + ", but its unit is not known; set every.unit.column to the column"
                            + " with the unit, or every.unit.value to the unit of all rows, for"
                            + " example minutes"));
    return digits(value).strip() + " " + unit.strip();
  }

  /** A number is in milliseconds. */
  private String duration(RowField field, Object value) {
    return value instanceof Long || value instanceof BigDecimal
        ? digits(value) + "ms"
        : plain(field, value);
  }

  private JsonNode payload(RowField field, Object value) {
    return mapping.jsonPayload() ? json(field, value) : NODES.textNode(plain(field, value));
  }

  private JsonNode json(RowField field, Object value) {
    if (!(value instanceof String text)) {
      return Row.json(value).orElseGet(() -> NODES.textNode(plain(field, value)));
    }
    try {
      return JsonText.parse(text);
    } catch (JsonProcessingException e) {
      throw bad(
          field,
          "is not JSON (%s): %s%s"
              .formatted(
                  e.getOriginalMessage(),
                  shown(text),
                  field == RowField.PAYLOAD
                      ? "; for example {\"amount\":42}, or payload.as=text for payloads that are text"
                      : "; for example {\"team\":\"billing\"}"));
    }
  }

  private String plain(RowField field, Object value) {
    if (value instanceof byte[]) {
      throw bad(field, "contains bytes where a text must be");
    }
    return value instanceof BigDecimal ? digits(value) : value.toString().strip();
  }

  private boolean flag(RowField field, Object value) {
    if (value instanceof Boolean flag) {
      return flag;
    }
    String word = plain(field, value).toLowerCase(Locale.ROOT);
    if (TRUE.contains(word) || FALSE.contains(word)) {
      return TRUE.contains(word);
    }
    throw bad(field, "is " + shown(word) + " where true or false must be");
  }

  private Instant instant(RowField field, Object value) {
    if (value instanceof Instant instant) {
      return instant;
    }
    if (value instanceof Long ms) {
      return Instant.ofEpochMilli(ms);
    }
    if (value instanceof BigDecimal || value instanceof Boolean) {
      throw bad(
          field, "is " + shown(value) + ", which is not a time; for example 2026-12-24T18:00:00Z");
    }
    String text = value instanceof LocalDateTime local ? local.toString() : plain(field, value);
    try {
      return Instants.parse(extended(text), zoneOfLocalTimes());
    } catch (InvalidValueException e) {
      throw bad(field, e.what().replace(extended(text), text) + "; for example " + e.example());
    }
  }

  /**
   * A time in the forms of ISO 8601 and of databases, in the one form that definitions have: a date
   * as its midnight, the basic format with its separators, an offset with minutes.
   */
  private static String extended(String text) {
    Matcher parts = TIME.matcher(text);
    if (!parts.matches()) {
      return text;
    }
    String time = part(parts, "hour", "00") + ":" + part(parts, "minute", "00");
    String offset =
        parts.group("offset") == null
            ? part(parts, "utc", "")
            : parts.group("offset") + ":" + part(parts, "offsetMinute", "00");
    return "%s-%s-%sT%s:%s%s"
        .formatted(
            parts.group("year"),
            parts.group("month"),
            parts.group("day"),
            time,
            part(parts, "second", "00").replace(',', '.'),
            offset);
  }

  private static String part(Matcher parts, String name, String otherwise) {
    return Optional.ofNullable(parts.group(name)).orElse(otherwise);
  }

  /** UTC for an invalid zone: the field timezone reports the error. */
  private ZoneId zoneOfLocalTimes() {
    if (mapping.localTimes().isPresent()) {
      return mapping.localTimes().get();
    }
    try {
      return text(TIMEZONE).map(Instants::zone).orElse(ZoneOffset.UTC);
    } catch (InvalidValueException e) {
      return ZoneOffset.UTC;
    }
  }

  private static boolean isNow(Object value) {
    return value instanceof String text && text.strip().equalsIgnoreCase(NOW);
  }

  BadRowException bad(RowField field, String what) {
    return new BadRowException(field.key() + " (" + mapping.where(field) + ") " + what);
  }

  static String shown(Object value) {
    return '"' + SafeText.cut(value.toString(), SHOWN) + '"';
  }
}
