package io.waterclock.cli.read;

import io.waterclock.console.model.TriggerLine;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Dialect;
import io.waterclock.schemas.avro.Schedule;
import java.util.Locale;

/** A trigger as the console shows it, after the dialect of its cron expression. */
final class TriggerText {
  private TriggerText() {}

  static String of(Schedule schedule) {
    Dialect dialect = schedule.getDialect();
    return schedule.getTrigger() instanceof CronTrigger && dialect != Dialect.WATERCLOCK
        ? dialect.name().toLowerCase(Locale.ROOT) + " " + TriggerLine.of(schedule)
        : TriggerLine.of(schedule);
  }
}
