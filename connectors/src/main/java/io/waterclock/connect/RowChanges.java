package io.waterclock.connect;

import io.waterclock.connect.rows.Row;
import io.waterclock.connect.rows.RowChange;
import io.waterclock.connect.rows.RowChange.Kind;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.connect.connector.ConnectRecord;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;
import org.jspecify.annotations.Nullable;

/**
 * Reads changes of rows from records: Debezium's change events; the rows that its
 * ExtractNewRecordState extracts from them, with {@code __op}, {@code __deleted} and {@code
 * __source_ts_ms} if it is configured to add them; and plain rows of other sources.
 */
final class RowChanges {

  /** The header that Debezium adds to the insert for a changed key. */
  private static final String OLD_KEY = "__debezium.oldkey";

  private static final String DELETED = "__deleted";

  private RowChanges() {}

  /**
   * @param idColumn the column whose value the key is, if the key is not a struct
   * @param now the time for records without a time, or with one in the future: a broker refuses
   *     records that are too far in the future
   * @return empty for an event without a row: a message in the database's log
   * @throws DataException if there is no row in the record
   */
  static Optional<RowChange> of(ConnectRecord<?> record, String idColumn, Instant now) {
    return read(record, idColumn, now)
        .map(
            change -> change.kind() == Kind.INSERTED && isRenamed(record) ? change.found() : change)
        .map(change -> change.at().isAfter(now) ? change.made(now) : change);
  }

  /** A renamed row existed before, so its past occurrences do not fire again. */
  private static boolean isRenamed(ConnectRecord<?> record) {
    return record.headers().lastWithName(OLD_KEY) != null;
  }

  private static Optional<RowChange> read(ConnectRecord<?> record, String idColumn, Instant now) {
    Optional<Row> key = Optional.ofNullable(record.key()).map(given -> key(given, idColumn));
    Instant at = Optional.ofNullable(record.timestamp()).map(Instant::ofEpochMilli).orElse(now);
    Object value = record.value();
    if (value == null) {
      return Optional.of(new RowChange(Kind.DELETED, key, Optional.empty(), Optional.empty(), at));
    }
    return part(value, "op") instanceof String op && (has(value, "after") || has(value, "before"))
        ? event(op, value, key, at)
        : Optional.of(bare(value, key, at));
  }

  private static Optional<RowChange> event(
      String op, Object value, Optional<Row> key, Instant recordTime) {
    if (op.equals("m")) {
      return Optional.empty();
    }
    if (op.equals("t")) {
      throw new DataException(
          "Debezium reports a TRUNCATE of the table (op=t), which does not name the deleted rows,"
              + " so their schedules stay in force. Delete these schedules, for example with"
              + " waterclock delete --owner");
    }
    Optional<Row> before = Optional.ofNullable(part(value, "before")).map(PlainValues::row);
    Optional<Row> after = Optional.ofNullable(part(value, "after")).map(PlainValues::row);
    Instant at =
        Optional.ofNullable(part(value, "source"))
            .map(source -> part(source, "ts_ms"))
            .or(() -> Optional.ofNullable(part(value, "ts_ms")))
            .map(RowChanges::instant)
            .orElse(recordTime);
    return Optional.of(new RowChange(kind(op), key, before, after, at));
  }

  private static RowChange bare(Object value, Optional<Row> key, Instant recordTime) {
    Row row = PlainValues.row(value);
    Kind kind = row.value("__op").map(op -> kind(op.toString())).orElse(Kind.FOUND);
    boolean isDeleted = row.value(DELETED).filter(is -> is.toString().equals("true")).isPresent();
    Instant at = row.value("__source_ts_ms").map(RowChanges::instant).orElse(recordTime);
    return isDeleted || kind == Kind.DELETED
        ? new RowChange(Kind.DELETED, key, Optional.of(row), Optional.empty(), at)
        : new RowChange(kind, key, Optional.empty(), Optional.of(row), at);
  }

  private static Kind kind(String op) {
    return switch (op) {
      case "c" -> Kind.INSERTED;
      case "u" -> Kind.UPDATED;
      case "d" -> Kind.DELETED;
      default -> Kind.FOUND;
    };
  }

  private static Row key(Object key, String idColumn) {
    return key instanceof Struct || key instanceof Map<?, ?>
        ? PlainValues.row(key)
        : PlainValues.row(Map.of(idColumn, key));
  }

  private static Instant instant(Object ms) {
    if (ms instanceof Number number && number.longValue() >= 0) {
      return Instant.ofEpochMilli(number.longValue());
    }
    throw new DataException(
        "the time of the change is " + ms + ", which is not a number of milliseconds since 1970");
  }

  private static boolean has(Object value, String name) {
    return value instanceof Struct struct
        ? struct.schema().field(name) != null
        : value instanceof Map<?, ?> map && map.containsKey(name);
  }

  private static @Nullable Object part(Object value, String name) {
    if (value instanceof Struct struct) {
      return struct.schema().field(name) == null ? null : struct.get(name);
    }
    return value instanceof Map<?, ?> map ? map.get(name) : null;
  }
}
