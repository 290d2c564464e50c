package io.waterclock.connect.rows;

import static io.waterclock.connect.rows.RowField.ID;

import io.waterclock.connect.rows.RowChange.Kind;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.ScheduleId;
import java.util.Optional;

/**
 * Which schedule a change of a row is about.
 *
 * <p>A row may be renamed. Then the schedule under its old id must end, and one record can say only
 * one of the two. A source tells a changed key as a delete and an insert, which are two; so the id
 * must be part of the key, and rows of a table where it is not are refused, each time, before one
 * of them is renamed. Where a key is made of another column than the primary key, a database may
 * keep silent of the old one: so an update must tell how the row was before.
 *
 * <p>What an id of a schedule cannot hold is escaped, see {@link IdText}.
 */
final class RowIds {
  private static final int MOST_CHARACTERS = 255;
  private static final String WHOLE_ROWS =
      "tell the database to log whole rows (PostgreSQL: ALTER TABLE ... REPLICA IDENTITY FULL)";

  private final RowMapping mapping;

  RowIds(RowMapping mapping) {
    this.mapping = mapping;
  }

  /** The id as far as anything tells it, be it right or wrong; for messages. */
  Optional<String> told(RowChange change) {
    return change
        .after()
        .or(change::before)
        .flatMap(this::value)
        .or(() -> change.key().flatMap(this::value))
        .map(value -> mapping.idPrefix() + (value instanceof byte[] ? "" : value));
  }

  /**
   * The schedule that a row defines.
   *
   * @throws BadRowException if it has no id, or one that might be changed in silence
   */
  ScheduleId defined(RowChange change, Row row) {
    String id =
        text(row)
            .orElseThrow(
                () ->
                    new BadRowException("the row has no id: " + mapping.where(ID) + absence(row)));
    String key = change.key().flatMap(this::text).orElseThrow(() -> notInKey(change));
    if (!key.equals(id)) {
      throw new BadRowException(
          "the record's key names "
              + MappedRow.shown(key)
              + ", and the row "
              + MappedRow.shown(id));
    }
    if (change.kind() == Kind.UPDATED) {
      stays(change, id);
    }
    return parse(id);
  }

  /**
   * The schedule of a row that was deleted.
   *
   * @throws BadRowException if nothing tells it
   */
  ScheduleId deleted(RowChange change) {
    return change
        .before()
        .flatMap(this::text)
        .or(() -> change.key().flatMap(this::text))
        .map(this::parse)
        .orElseThrow(
            () ->
                new BadRowException(
                    "the row was deleted, and its id is not known: "
                        + mapping.where(ID)
                        + " is not part of the key, and the source does not tell how the row was"
                        + " before. Make the column the primary key, or "
                        + WHOLE_ROWS));
  }

  private void stays(RowChange change, String id) {
    Optional<String> before = change.before().flatMap(this::text);
    if (before.isEmpty() && !mapping.idIsPrimaryKey()) {
      throw new BadRowException(
          "the update does not tell how the row was before, so its id may have been another; "
              + WHOLE_ROWS
              + ", or set id.is.primary.key=true if "
              + mapping.where(ID)
              + " is the table's primary key");
    }
    if (before.filter(old -> !old.equals(id)).isPresent()) {
      throw new BadRowException(
          "the id was changed from "
              + MappedRow.shown(before.get())
              + " to "
              + MappedRow.shown(id)
              + " in one change; delete the row and insert it anew");
    }
  }

  private BadRowException notInKey(RowChange change) {
    String key =
        change
            .key()
            .map(row -> "it has " + String.join(", ", row.columns()))
            .orElse("the source tells none");
    return new BadRowException(
        mapping.where(ID)
            + " is not part of the record's key ("
            + key
            + "), and the schedule of a renamed row would fire on under its old id. Make the column"
            + " the primary key, take the id from the primary key, or let the source use the column"
            + " as its key (Debezium: message.key.columns=<schema>.<table>:<column>, and "
            + WHOLE_ROWS
            + ")");
  }

  private static String absence(Row row) {
    return " is null, or is none of the columns " + String.join(", ", row.columns());
  }

  private Optional<String> text(Row row) {
    return value(row).map(value -> mapping.idPrefix() + written(value));
  }

  private Optional<Object> value(Row row) {
    return Optional.ofNullable(mapping.columns().get(ID))
        .flatMap(row::value)
        .filter(value -> !value.equals(""));
  }

  private String written(Object value) {
    if (value instanceof byte[]) {
      throw new BadRowException(
          mapping.where(ID)
              + " holds bytes where a text must be (Debezium: binary.handling.mode=hex)");
    }
    String text = value.toString();
    if (text.length() > MOST_CHARACTERS) {
      throw new BadRowException(
          mapping.where(ID)
              + " has "
              + text.length()
              + " characters; the id of a schedule has at most "
              + MOST_CHARACTERS
              + ", with id.prefix and escapes");
    }
    return IdText.written(text)
        .orElseThrow(
            () -> new BadRowException(mapping.where(ID) + " is no Unicode text, and no id"));
  }

  private ScheduleId parse(String id) {
    try {
      return ScheduleId.parse(id);
    } catch (InvalidIdException e) {
      boolean needsPrefix =
          mapping.idPrefix().isEmpty() && !Character.isLetterOrDigit(id.charAt(0));
      throw new BadRowException(
          e.getMessage() + (needsPrefix ? "; set id.prefix, for example to \"jobs/\"" : ""));
    }
  }
}
