package io.waterclock.cli.read;

import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.RRuleTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.text.Interval;
import java.time.Duration;

/** A trigger in a few words: {@code cron 0 9 * * 1-5}, {@code every PT5M}, {@code at ...}. */
final class TriggerText {
  private TriggerText() {}

  static String of(Schedule schedule) {
    Object trigger = schedule.getTrigger();
    if (trigger instanceof CronTrigger cron) {
      return "cron " + cron.getExpression();
    }
    if (trigger instanceof EveryTrigger every) {
      return "every " + new Interval(every.getN(), every.getUnit()).text();
    }
    if (trigger instanceof RRuleTrigger rrule) {
      return "rrule " + rrule.getRule();
    }
    OnceTrigger once = (OnceTrigger) trigger;
    if (once.getAt() != null) {
      return "at " + once.getAt();
    }
    return once.getInMs() == 0 ? "at now" : "in " + Duration.ofMillis(once.getInMs());
  }
}
