package io.waterclock.console.model;

import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Dialect;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.RRuleTrigger;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.text.Interval;
import java.util.Locale;

/** A trigger as short text: {@code cron 0 9 * * 1-5}, {@code every 5m}, {@code at ...}. */
public final class TriggerLine {
  private TriggerLine() {}

  /**
   * @param known whose revision says which instant "in" means
   */
  static String of(Schedule schedule, KnownSchedule known) {
    if (schedule.getTrigger() instanceof OnceTrigger) {
      return known
          .currentRevision()
          .map(Revision::getResolvedAt)
          .map(at -> "at " + at)
          .orElseGet(() -> of(schedule));
    }
    return of(schedule);
  }

  /** The trigger as it is written, after the dialect of its cron expression. */
  public static String withDialect(Schedule schedule) {
    Dialect dialect = schedule.getDialect();
    return schedule.getTrigger() instanceof CronTrigger && dialect != Dialect.WATERCLOCK
        ? dialect.name().toLowerCase(Locale.ROOT) + " " + of(schedule)
        : of(schedule);
  }

  /** The trigger as it is written. */
  public static String of(Schedule schedule) {
    Object trigger = schedule.getTrigger();
    if (trigger instanceof CronTrigger cron) {
      return "cron " + cron.getExpression();
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
    Long inMs = once.getInMs();
    if (inMs == null) {
      return "at no instant"; // no scheduler accepts it, but it may be the newest record
    }
    return inMs == 0 ? "at now" : "in " + Interval.ofMillis(inMs).shortText();
  }
}
