package io.waterclock.schemas.json;

import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Schedule;
import java.util.List;

/**
 * The result of reading a schedule's JSON.
 *
 * @param schedule as far as it could be read: a broken field holds its default, and the trigger is
 *     null if it is missing or broken. Valid only if there are no problems
 * @param problems all problems, in the order of the record's fields, then unknown fields
 */
public record ScheduleReading(Schedule schedule, List<Problem> problems) {
  public ScheduleReading {
    problems = List.copyOf(problems);
  }

  /** Whether the schedule was read without a problem. */
  public boolean isValid() {
    return problems.isEmpty();
  }
}
