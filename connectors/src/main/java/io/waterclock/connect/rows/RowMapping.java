package io.waterclock.connect.rows;

import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The mapping of columns to fields.
 *
 * @param idIsPrimaryKey whether the id's column is the table's primary key, so that no update
 *     changes it
 * @param constants the value of a field without a column, or with a null column
 * @param kinds the triggers by values of the column for {@link RowField#KIND}, in lower case
 * @param enabledStatuses the values of the column for {@link RowField#STATUS} that enable a
 *     schedule, in lower case
 * @param catchUps the policies by values of the column for {@link RowField#CATCH_UP}, in lower case
 * @param jsonPayload whether a payload in a text column is JSON; otherwise it is plain text
 * @param localTimes the zone of times without an offset; empty: the row's own zone
 */
public record RowMapping(
    String idPrefix,
    boolean idIsPrimaryKey,
    Map<RowField, String> columns,
    Map<RowField, String> constants,
    Map<String, RowField> kinds,
    Set<String> enabledStatuses,
    Map<String, String> catchUps,
    boolean jsonPayload,
    Optional<ZoneId> localTimes) {

  public RowMapping {
    columns = Map.copyOf(columns);
    constants = Map.copyOf(constants);
    kinds = Map.copyOf(kinds);
    enabledStatuses = Set.copyOf(enabledStatuses);
    catchUps = Map.copyOf(catchUps);
  }

  /** The column or the setting of a field's value, for messages. */
  String where(RowField field) {
    String column = columns.get(field);
    return column == null ? field.key() + ".value" : "column " + column;
  }

  boolean has(RowField field) {
    return columns.containsKey(field) || constants.containsKey(field);
  }
}
