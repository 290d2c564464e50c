package io.waterclock.connect.rows;

import static io.waterclock.connect.rows.RowField.ID;

import io.waterclock.connect.rows.RowChange.Kind;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.ScheduleId;
import java.util.Optional;

/**
 * Finds the schedule of a row's change.
 *
 * <p>If a row is renamed, the schedule under its old id must end and the one under its new id must
 * begin, which takes two records. A source reports a changed key as a delete and an insert. So the
 * id must be part of the record's key, and this class refuses all rows of a table whose id is not,
 * before a row is renamed. If the key is not the primary key, a database may omit the old key: so
 * an update must contain the row before the change.
 *
 * <p>{@link IdText} escapes characters that a schedule's id cannot contain.
 */
record RowIds(RowMapping mapping) {
  private static final int MOST_CHARACTERS = 255;
  private static final String WHOLE_ROWS =
      "configure the database to log whole rows (PostgreSQL: ALTER TABLE ... REPLICA IDENTITY"
          + " FULL)";

  /** The id from any part of the change, valid or not; for messages. */
  Optional<String> shown(RowChange change) {
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
   * @throws BadRowException if the row has no id, or its id could change unnoticed
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
          "the record's key names %s, and the row %s"
              .formatted(MappedRow.shown(key), MappedRow.shown(id)));
    }
    if (change.kind() == Kind.UPDATED) {
      stays(change, id);
    }
    return parse(id);
  }

  /**
   * The schedule of a deleted row.
   *
   * @throws BadRowException if the change does not contain its id
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
                    ("the row was deleted, and its id is not known: %s is not part of the"
                            + " key, and the source does not send the row before the change. Make"
                            + " the column the primary key, or %s")
                        .formatted(mapping.where(ID), WHOLE_ROWS)));
  }

  private void stays(RowChange change, String id) {
    Optional<String> before = change.before().flatMap(this::text);
    if (before.isEmpty() && !mapping.idIsPrimaryKey()) {
      throw new BadRowException(
          ("the update does not contain the row before the change, so its id may have been"
                  + " different; %s, or set id.is.primary.key=true if %s is the table's primary key")
              .formatted(WHOLE_ROWS, mapping.where(ID)));
    }
    if (before.filter(old -> !old.equals(id)).isPresent()) {
      throw new BadRowException(
          ("the id was changed from %s to %s in one change; delete the row and insert it"
                  + " again")
              .formatted(MappedRow.shown(before.get()), MappedRow.shown(id)));
    }
  }

  private BadRowException notInKey(RowChange change) {
    String key =
        change
            .key()
            .map(row -> "it has " + String.join(", ", row.columns()))
            .orElse("the source sends none");
    return new BadRowException(
        ("%s is not part of the record's key (%s), and the schedule of a renamed row would"
                + " fire on under its old id. Make the column the primary key, take the id from the"
                + " primary key, or let the source use the column as its key (Debezium:"
                + " message.key.columns=<schema>.<table>:<column>, and %s)")
            .formatted(mapping.where(ID), key, WHOLE_ROWS));
  }

  private static String absence(Row row) {
    return " is null, or is not one of the columns " + String.join(", ", row.columns());
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
              + " contains bytes where a text must be (Debezium: binary.handling.mode=hex)");
    }
    String text = value.toString();
    if (text.length() > MOST_CHARACTERS) {
      throw new BadRowException(
          ("%s has %s characters; the id of a schedule has at most %s, with id.prefix and"
                  + " escapes")
              .formatted(mapping.where(ID), text.length(), MOST_CHARACTERS));
    }
    return IdText.written(text)
        .orElseThrow(() -> new BadRowException(mapping.where(ID) + " is not valid Unicode text"));
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
