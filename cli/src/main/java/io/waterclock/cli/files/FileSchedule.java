package io.waterclock.cli.files;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.text.Problems;

/**
 * A schedule of a file.
 *
 * @param schedule as the file says it, with defaults; not validated
 * @param json the JSON form as the file says it, without the id
 */
public record FileSchedule(ScheduleId id, Schedule schedule, ObjectNode json, Source source) {

  /** A problem of it, at the line of its field. */
  public FileProblem problem(Problem problem) {
    return new FileProblem(
        source.place(problem.getField()), id.value() + ": " + Problems.text(problem));
  }
}
