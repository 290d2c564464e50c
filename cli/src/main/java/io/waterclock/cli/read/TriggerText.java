package io.waterclock.cli.read;

import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Dialect;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.RRuleTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.text.Interval;
import java.util.Locale;

/** A trigger as short text: {@code cron 0 9 * * 1-5}, {@code every 5m}, {@code at ...}. */
final class TriggerText {
  private TriggerText() {}

  static String of(Schedule schedule) {
    Object trigger = schedule.getTrigger();
    if (trigger instanceof CronTrigger cron) {
      String dialect =
          schedule.getDialect() == Dialect.WATERCLOCK
              ? ""
              : schedule.getDialect().name().toLowerCase(Locale.ROOT) + " ";
      return dialect + "cron " + cron.getExpression();
    }
    if (trigger instanceof EveryTrigger every) {
      return "every " + new Interval(every.getN(), every.getUnit()).shortText();
    }
    if (trigger instanceof RRuleTrigger rrule) {
      return "rrule " + rrule.getRule();
    }
    OnceTrigger once = (OnceTrigger) trigger;
    if (once.getAt() != null) {
      return "at " + once.getAt();
    }
    return once.getInMs() == 0 ? "at now" : "in " + Interval.ofMillis(once.getInMs()).shortText();
  }
}
