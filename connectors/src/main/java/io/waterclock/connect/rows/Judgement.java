package io.waterclock.connect.rows;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.occurrences.Cron;
import io.waterclock.occurrences.Every;
import io.waterclock.occurrences.IntervalUnit;
import io.waterclock.occurrences.InvalidTriggerException;
import io.waterclock.occurrences.Once;
import io.waterclock.occurrences.Zones;
import io.waterclock.schemas.Problems;
import io.waterclock.schemas.ScheduleJson;
import io.waterclock.schemas.ScheduleReading;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.avro.Schedule;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/**
 * What is wrong with a definition that a row has given, as far as it can be told without the
 * scheduler: its form, its trigger and its time zone. What depends on the scheduler's configuration
 * (limits, calendars, targets) is for the scheduler to say.
 */
final class Judgement {
  private final RowMapping mapping;

  Judgement(RowMapping mapping) {
    this.mapping = mapping;
  }

  /** Each problem in a sentence that names the column. */
  List<String> problems(ObjectNode definition) {
    ScheduleReading reading = ScheduleJson.read(definition, ZoneOffset.UTC);
    if (!reading.isValid()) {
      return reading.problems().stream().map(this::text).toList();
    }
    try {
      check(reading.schedule());
      return List.of();
    } catch (InvalidTriggerException e) {
      return List.of(text(new Problem(e.field(), e.problem(), e.example())));
    }
  }

  private static void check(Schedule schedule) {
    ZoneId zone =
        schedule.getTimezone() == null ? ZoneOffset.UTC : Zones.parse(schedule.getTimezone());
    Object trigger = schedule.getTrigger();
    if (trigger instanceof CronTrigger cron) {
      Cron.parse(cron.getExpression(), zone);
    } else if (trigger instanceof EveryTrigger every) {
      Instant anchor = every.getAnchor() == null ? Instant.EPOCH : every.getAnchor();
      Every.of(anchor, every.getN(), IntervalUnit.valueOf(every.getUnit().name()), zone);
    } else if (trigger instanceof OnceTrigger once && once.getAt() != null) {
      Once.of(once.getAt());
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
