package io.waterclock.connect.rows;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.ExportedState;
import java.util.Optional;

/** What becomes of a change of a row. */
public sealed interface RowResult {

  /**
   * It defines a schedule.
   *
   * @param definition in the friendly JSON form
   * @param beginsWith how far the schedule is, if the scheduler does not know it yet
   */
  record Defines(ScheduleId id, ObjectNode definition, Optional<ExportedState> beginsWith)
      implements RowResult {}

  /** It deletes a schedule. */
  record Deletes(ScheduleId id) implements RowResult {}

  /**
   * Nothing can be made of it.
   *
   * @param id as it stands in the row, if it has one
   * @param reason for people: all that is wrong, with examples of what would be right
   */
  record Refused(Optional<String> id, String reason) implements RowResult {}
}
