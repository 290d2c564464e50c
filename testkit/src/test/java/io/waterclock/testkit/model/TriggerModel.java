package io.waterclock.testkit.model;

import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.RRuleTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.Unit;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/** Every occurrence of a trigger in a stretch of time, found the slow way. */
final class TriggerModel {
  private TriggerModel() {}

  /**
   * Occurrences within the schedule's own bounds.
   *
   * @param resolved the anchor of a grid or a recurrence rule, the instant of a Once
   * @param fromMs inclusive
   * @param toMs inclusive
   */
  static NavigableSet<Long> between(
      Schedule schedule, Optional<Long> resolved, long fromMs, long toMs) {
    ZoneId zone = ZoneId.of(schedule.getTimezone());
    TreeSet<Long> found = new TreeSet<>();
    if (schedule.getTrigger() instanceof CronTrigger cron) {
      found.addAll(new CronModel(cron.getExpression(), zone).between(fromMs, toMs));
    } else if (schedule.getTrigger() instanceof EveryTrigger every) {
      long at = resolved.orElseThrow();
      for (long k = 0; at <= toMs; k++, at = point(every, resolved.orElseThrow(), k, zone)) {
        found.add(at);
      }
    } else if (schedule.getTrigger() instanceof RRuleTrigger rrule) {
      RRuleModel rule = new RRuleModel(rrule.getRule(), zone);
      found.addAll(rule.between(resolved.orElseThrow(), fromMs, toMs));
    } else {
      found.add(resolved.orElseThrow());
    }
    found.removeIf(
        ms ->
            ms < fromMs
                || ms > toMs
                || isBefore(ms, schedule.getStartAt())
                || isNotBefore(ms, schedule.getEndAt()));
    return found;
  }

  private static long point(EveryTrigger every, long anchorMs, long k, ZoneId zone) {
    long steps = k * every.getN();
    if (every.getUnit() == Unit.DAY) {
      LocalDateTime anchor = Instant.ofEpochMilli(anchorMs).atZone(zone).toLocalDateTime();
      return k == 0 ? anchorMs : CronModel.WallClock.occurrence(anchor.plusDays(steps), zone);
    }
    return anchorMs
        + switch (every.getUnit()) {
          case MILLISECOND -> steps;
          case SECOND -> steps * 1_000;
          case MINUTE -> steps * 60_000;
          case HOUR -> steps * 3_600_000;
          default -> throw new IllegalArgumentException("not modelled: " + every.getUnit());
        };
  }

  private static boolean isBefore(long ms, @org.jspecify.annotations.Nullable Instant bound) {
    return bound != null && ms < bound.toEpochMilli();
  }

  private static boolean isNotBefore(long ms, @org.jspecify.annotations.Nullable Instant bound) {
    return bound != null && ms >= bound.toEpochMilli();
  }
}
