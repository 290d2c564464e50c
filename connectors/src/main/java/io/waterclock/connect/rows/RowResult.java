package io.waterclock.connect.rows;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.ExportedState;
import java.util.Optional;

public sealed interface RowResult {

  /**
   * It defines a schedule.
   *
   * @param beginsWith the state for a schedule that the scheduler does not know yet
   */
  record Defines(ScheduleId id, ObjectNode definition, Optional<ExportedState> beginsWith)
      implements RowResult {}

  /** It orders a fire of a schedule whose definition it does not change. */
  record Triggers(ScheduleId id, Command command) implements RowResult {}

  record Deletes(ScheduleId id) implements RowResult {}

  /**
   * It is a bad row.
   *
   * @param id the id in the row, if there is one
   * @param reason all errors with valid examples, for a person
   */
  record Refused(Optional<String> id, String reason) implements RowResult {}
}
