package io.waterclock.connect.rows;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.definition.TriggerRules;
import io.waterclock.occurrences.Zones;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.json.ScheduleJson;
import io.waterclock.schemas.json.ScheduleReading;
import io.waterclock.schemas.text.Problems;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/**
 * Validates a definition from a row without the scheduler: its form, its trigger and its time zone,
 * by the scheduler's own rules. The scheduler checks what depends on its configuration: limits,
 * calendars and targets.
 */
record RowValidation(RowMapping mapping) {
  /**
   * Each error in a sentence that names the column.
   *
   * @param at the time of the definition
   */
  List<String> problems(String id, ObjectNode definition, Instant at) {
    ScheduleReading reading = ScheduleJson.read(definition, ZoneOffset.UTC);
    if (!reading.isValid()) {
      return reading.problems().stream().map(this::text).toList();
    }
    Schedule schedule = reading.schedule();
    try {
      ZoneId zone =
          schedule.getTimezone() == null ? ZoneOffset.UTC : Zones.parse(schedule.getTimezone());
      return TriggerRules.problem(id, schedule, zone, at).stream().map(this::text).toList();
    } catch (InvalidTriggerException e) {
      return List.of(text(new Problem(e.field(), e.problem(), e.example())));
    }
  }

  private String text(Problem problem) {
    Optional<RowField> field = RowField.ofKey(problem.getField());
    return field.isEmpty()
        ? Problems.text(problem)
        : field.get().key()
            + " ("
            + mapping.where(field.get())
            + ") "
            + Problems.text(new Problem("", problem.getMessage(), problem.getExample()));
  }
}
