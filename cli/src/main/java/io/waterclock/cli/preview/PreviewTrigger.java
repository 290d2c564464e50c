package io.waterclock.cli.preview;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.terminal.Failure;
import io.waterclock.cli.terminal.TriggerOptions;
import io.waterclock.definition.Triggers;
import io.waterclock.occurrences.JenkinsCron;
import io.waterclock.occurrences.Trigger;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Dialect;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.json.ScheduleJson;
import io.waterclock.schemas.json.ScheduleReading;
import io.waterclock.schemas.text.Instants;
import io.waterclock.schemas.text.Problems;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/** A trigger from flags, validated and compiled as the scheduler does it with the same record. */
public record PreviewTrigger(Trigger trigger, ZoneId zone) {

  /**
   * @param id of the schedule; an H of Jenkins needs it
   * @param timestamp the instant from which a trigger without an anchor counts
   * @throws InvalidTriggerException if the trigger is invalid or never occurs
   */
  public static PreviewTrigger of(TriggerOptions options, Optional<String> id, Instant timestamp) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    options.addTo(json, timestamp);
    ScheduleReading reading = ScheduleJson.read(json.toString().getBytes(UTF_8), options.zone());
    if (!reading.isValid()) {
      throw new Failure(Problems.text(reading.problems()));
    }
    Schedule schedule = reading.schedule();
    if (id.isEmpty() && isSpread(schedule)) {
      throw new Failure("cron: H gets its value from the schedule's id; name it with --for");
    }
    ZoneId zone =
        schedule.getTimezone() == null ? options.zone() : Instants.zone(schedule.getTimezone());
    Optional<Instant> resolved = Triggers.resolve(schedule, zone, timestamp);
    return new PreviewTrigger(Triggers.define(id.orElse(""), schedule, zone, resolved), zone);
  }

  private static boolean isSpread(Schedule schedule) {
    return schedule.getDialect() == Dialect.JENKINS
        && schedule.getTrigger() instanceof CronTrigger cron
        && JenkinsCron.isSpread(cron.getExpression());
  }
}
