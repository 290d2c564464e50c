package io.waterclock.connect.rows;

import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which column says what.
 *
 * @param idPrefix before each id
 * @param idIsPrimaryKey whether the column with the id is the table's primary key, so that no
 *     update changes it
 * @param columns by what they say
 * @param constants what is said by no column, or where the column is null
 * @param kinds from values of the column for {@link RowField#KIND}, in lower case, to the trigger
 * @param enabledStatuses values of the column for {@link RowField#STATUS} with which a schedule is
 *     enabled, in lower case
 * @param catchUps from values of the column for {@link RowField#CATCH_UP}, in lower case, to words
 *     of a definition
 * @param jsonPayload whether a payload in text is JSON; otherwise it is text
 * @param localTimes the zone of times without an offset; empty: the row's own
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

  /** The column or the value that says it, for messages. */
  String where(RowField field) {
    String column = columns.get(field);
    return column == null ? field.key() + ".value" : "column " + column;
  }

  boolean has(RowField field) {
    return columns.containsKey(field) || constants.containsKey(field);
  }
}
