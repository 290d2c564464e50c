package io.waterclock.schemas.json;

import com.fasterxml.jackson.databind.JsonNode;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.RRuleTrigger;
import io.waterclock.schemas.avro.Schedule;
import java.time.ZoneId;
import java.util.Optional;

/**
 * The friendly JSON form of a schedule, for people and scripts: {@code {"cron": "0 9 * * 1-5",
 * "timezone": "Europe/Berlin", "catch_up": "replay", "payload": {...}}}.
 *
 * <p>The trigger is exactly one of {@code cron}, {@code every} (with an optional {@code anchor}),
 * {@code at} and {@code in}. Reading checks the form only. The scheduler checks the meaning, such
 * as the range of a number or whether a cron expression occurs. Thread-safe.
 */
public final class ScheduleJson {
  private static final RecordForm FORM = RecordForms.of(Schedule.SCHEMA$);

  private ScheduleJson() {}

  /**
   * Reads JSON text in UTF-8 and finds all its problems. Throws for no content.
   *
   * @param defaultZone for times without an offset, if the record names no time zone
   */
  public static ScheduleReading read(byte[] json, ZoneId defaultZone) {
    Reading reading = Reading.start(defaultZone);
    Optional<JsonNode> tree = JsonText.parse(json, reading);
    Schedule schedule =
        (Schedule) tree.map(t -> FORM.readBestEffort(t, reading)).orElseGet(FORM::blank);
    return new ScheduleReading(schedule, reading.problems());
  }

  /** The same for a tree. */
  public static ScheduleReading read(JsonNode tree, ZoneId defaultZone) {
    Reading reading = Reading.start(defaultZone);
    return new ScheduleReading((Schedule) FORM.readBestEffort(tree, reading), reading.problems());
  }

  /**
   * Gives a schedule that was not read here the form of one that was. Space around its expression,
   * rule and time zone goes. Extensions of cron expressions are translated: {@code @every 5m}
   * becomes an interval, {@code CRON_TZ=Europe/Berlin} and {@code TZ=} the time zone. Leaves an
   * invalid extension unchanged.
   */
  public static void translate(Schedule schedule) {
    strip(schedule);
    CronExtension.translate(schedule);
  }

  private static void strip(Schedule schedule) {
    if (schedule.getTrigger() instanceof CronTrigger cron) {
      schedule.setTrigger(new CronTrigger(cron.getExpression().strip()));
    } else if (schedule.getTrigger() instanceof RRuleTrigger rrule) {
      schedule.setTrigger(
          new RRuleTrigger(rrule.getRule().strip(), rrule.getAnchor(), rrule.getLocalAnchor()));
    }
    if (schedule.getTimezone() != null) {
      schedule.setTimezone(schedule.getTimezone().strip());
    }
  }
}
