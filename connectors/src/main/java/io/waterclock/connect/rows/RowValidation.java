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
 * What is wrong with a definition that a row has given, as far as it can be told without the
 * scheduler: its form, its trigger and its time zone, by the scheduler's own rules. What depends on
 * the scheduler's configuration (limits, calendars, targets) is for the scheduler to say.
 */
final class RowValidation {
  private final RowMapping mapping;

  RowValidation(RowMapping mapping) {
    this.mapping = mapping;
  }

  /**
   * Each problem in a sentence that names the column.
   *
   * @param at when the definition is from
   */
  List<String> problems(ObjectNode definition, Instant at) {
    ScheduleReading reading = ScheduleJson.read(definition, ZoneOffset.UTC);
    if (!reading.isValid()) {
      return reading.problems().stream().map(this::text).toList();
    }
    Schedule schedule = reading.schedule();
    try {
      ZoneId zone =
          schedule.getTimezone() == null ? ZoneOffset.UTC : Zones.parse(schedule.getTimezone());
      return TriggerRules.problem(schedule, zone, at).stream().map(this::text).toList();
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
