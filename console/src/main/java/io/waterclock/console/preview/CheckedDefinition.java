package io.waterclock.console.preview;

import com.fasterxml.jackson.databind.JsonNode;
import io.waterclock.definition.Validation;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.json.ScheduleJson;
import io.waterclock.schemas.json.ScheduleReading;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A definition as a person writes it, judged by the scheduler's own rules. Limits that only the
 * scheduler knows (its shortest interval, the limits of an owner, its targets) are not checked.
 *
 * @param schedule normalised; empty if there are problems
 */
public record CheckedDefinition(Optional<Schedule> schedule, List<Problem> problems) {
  public CheckedDefinition {
    problems = List.copyOf(problems);
  }

  /** What a definition is read with: the zone of those that name none, and existing calendars. */
  public record Setting(ZoneId zone, Set<String> calendars, Instant now) {}

  public static CheckedDefinition of(String id, JsonNode form, Setting setting) {
    ScheduleReading reading = ScheduleJson.read(form, setting.zone());
    Validation validation = new Validation(Duration.ofMillis(1), setting.zone());
    List<Problem> problems = new ArrayList<>(reading.problems());
    Schedule schedule = validation.normalise(reading.schedule());
    problems.addAll(
        validation.problems(id, schedule, reading.problems(), setting.now(), setting.calendars()));
    return new CheckedDefinition(
        problems.isEmpty() ? Optional.of(schedule) : Optional.empty(), problems);
  }
}
