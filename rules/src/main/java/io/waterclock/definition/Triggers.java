package io.waterclock.definition;

import io.waterclock.occurrences.Cron;
import io.waterclock.occurrences.CronDialect;
import io.waterclock.occurrences.Every;
import io.waterclock.occurrences.Jitter;
import io.waterclock.occurrences.Once;
import io.waterclock.occurrences.RRule;
import io.waterclock.occurrences.Trigger;
import io.waterclock.occurrences.core.Effort;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.occurrences.search.IntervalUnit;
import io.waterclock.occurrences.search.WallClock;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.RRuleTrigger;
import io.waterclock.schemas.avro.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.Optional;

/** Converts the trigger of a definition to one that finds occurrences. */
public final class Triggers {
  private Triggers() {}

  /**
   * The instant that a trigger may omit: the anchor of a grid or a recurrence rule, or the instant
   * of a Once. Empty for cron.
   *
   * @param zone of a local anchor
   * @param effective the instant at which the definition took effect
   */
  public static Optional<Instant> resolve(Schedule schedule, ZoneId zone, Instant effective) {
    Object trigger = schedule.getTrigger();
    Optional<Instant> given = given(trigger, zone);
    if (given.isPresent() || trigger instanceof CronTrigger) {
      return given;
    }
    if (trigger instanceof RRuleTrigger) {
      return Optional.of(RRule.implicitAnchor(effective));
    }
    return Optional.of(
        trigger instanceof OnceTrigger once
            ? effective.plusMillis(Objects.requireNonNull(once.getInMs()))
            : effective);
  }

  /** True if the trigger omits the instant that {@link #resolve} returns. */
  public static boolean countsFromRecord(Object trigger) {
    return !(trigger instanceof CronTrigger) && given(trigger, ZoneOffset.UTC).isEmpty();
  }

  /** The local anchor of a grid or a recurrence rule. */
  public static Optional<LocalDateTime> localAnchor(Object trigger) {
    if (trigger instanceof EveryTrigger every) {
      return Optional.ofNullable(every.getLocalAnchor());
    }
    return trigger instanceof RRuleTrigger rrule
        ? Optional.ofNullable(rrule.getLocalAnchor())
        : Optional.empty();
  }

  private static Optional<Instant> given(Object trigger, ZoneId zone) {
    if (trigger instanceof OnceTrigger once) {
      return Optional.ofNullable(once.getAt());
    }
    return anchor(trigger)
        .or(() -> localAnchor(trigger).map(local -> WallClock.of(zone).instant(local)));
  }

  /** The anchor of a grid or a recurrence rule, where it is an instant. */
  static Optional<Instant> anchor(Object trigger) {
    if (trigger instanceof EveryTrigger every) {
      return Optional.ofNullable(every.getAnchor());
    }
    return trigger instanceof RRuleTrigger rrule
        ? Optional.ofNullable(rrule.getAnchor())
        : Optional.empty();
  }

  /**
   * As {@link #of}, for a new definition, whose trigger must occur.
   *
   * @throws InvalidTriggerException also if it never does
   */
  public static Trigger define(
      String id, Schedule schedule, ZoneId zone, Optional<Instant> resolved) {
    return define(id, schedule, zone, resolved, Effort.unlimited());
  }

  /**
   * As above.
   *
   * @param effort counts the steps of reading the trigger
   */
  static Trigger define(
      String id, Schedule schedule, ZoneId zone, Optional<Instant> resolved, Effort effort) {
    Trigger trigger = of(id, schedule, zone, resolved, effort);
    return trigger instanceof RRule rule ? rule.requireOccurrence() : trigger;
  }

  /**
   * As {@link #of}, for a resolved instant that may be unknown. Empty if the definition omits it
   * too.
   *
   * @throws InvalidTriggerException as {@link #of}
   */
  public static Optional<Trigger> known(
      String id, Schedule schedule, ZoneId zone, Optional<Instant> resolved) {
    Optional<Instant> at = resolved.or(() -> given(schedule.getTrigger(), zone));
    return at.isPresent() || schedule.getTrigger() instanceof CronTrigger
        ? Optional.of(of(id, schedule, zone, at))
        : Optional.empty();
  }

  /** The dialect of a definition's expression. */
  public static CronDialect dialect(Schedule schedule) {
    return CronDialect.valueOf(schedule.getDialect().name());
  }

  /** The jitter of a schedule; empty for none. */
  public static Optional<Jitter> jitter(Schedule schedule) {
    return Optional.of(schedule.getJitterMs())
        .filter(ms -> ms != 0)
        .map(ms -> Jitter.of(Duration.ofMillis(ms)));
  }

  /**
   * The exclusive end of a schedule. Converts max_occurrences to an instant, so that firing need
   * not count.
   *
   * @param trigger without the schedule's bounds
   * @param ownsAfter exclusive: from here on the occurrences count
   */
  public static Optional<Instant> end(Schedule schedule, Trigger trigger, Instant ownsAfter) {
    Optional<Instant> end = Optional.ofNullable(schedule.getEndAt());
    return schedule.getMaxOccurrences() == null
        ? end
        : trigger
            .within(Optional.ofNullable(schedule.getStartAt()), end)
            .nthAfter(ownsAfter, schedule.getMaxOccurrences())
            .map(last -> last.plusMillis(1))
            .or(() -> end);
  }

  /** True for a single instant that counts from the record's timestamp. */
  public static boolean isCountedFromNow(Schedule schedule) {
    return schedule.getTrigger() instanceof OnceTrigger once && once.getAt() == null;
  }

  /** True if two definitions name the same occurrences of equal triggers. */
  public static boolean haveSameBounds(Schedule a, Schedule b) {
    return Objects.equals(a.getMaxOccurrences(), b.getMaxOccurrences())
        && Objects.equals(a.getStartAt(), b.getStartAt())
        && Objects.equals(a.getEndAt(), b.getEndAt())
        && Objects.equals(a.getTimezone(), b.getTimezone());
  }

  /**
   * The trigger alone, without the schedule's bounds. A local anchor means what the zone's clock
   * shows now, even if the clock showed it at another instant when the definition was accepted.
   *
   * @param id the schedule's; some dialects of cron take values from it
   * @param resolved see {@link #resolve}
   * @throws InvalidTriggerException if the trigger is invalid; an accepted trigger only if the
   *     rules of the accepting scheduler differed
   */
  public static Trigger of(String id, Schedule schedule, ZoneId zone, Optional<Instant> resolved) {
    return of(id, schedule, zone, resolved, Effort.unlimited());
  }

  /**
   * As above, metered. To read a recurrence rule takes steps, too: they have a limit of their own,
   * so a trigger can be read however much is left.
   */
  public static Trigger of(
      String id, Schedule schedule, ZoneId zone, Optional<Instant> resolved, Effort effort) {
    return read(id, schedule, zone, resolved, effort).metered(effort);
  }

  private static Trigger read(
      String id, Schedule schedule, ZoneId zone, Optional<Instant> resolved, Effort effort) {
    Object trigger = schedule.getTrigger();
    if (trigger instanceof CronTrigger cron) {
      return Cron.parse(cron.getExpression(), dialect(schedule), id, zone);
    }
    Instant at = resolved.orElseThrow();
    Optional<LocalDateTime> local = localAnchor(trigger);
    if (trigger instanceof EveryTrigger every) {
      IntervalUnit unit = IntervalUnit.valueOf(every.getUnit().name());
      return local.isPresent()
          ? Every.of(local.get(), every.getN(), unit, zone)
          : Every.of(at, every.getN(), unit, zone);
    }
    if (trigger instanceof RRuleTrigger rrule) {
      return local.isPresent()
          ? RRule.parse(rrule.getRule(), local.get(), zone, effort)
          : RRule.parse(rrule.getRule(), at, zone, effort);
    }
    if (trigger instanceof OnceTrigger) {
      return Once.of(at);
    }
    throw new IllegalStateException("unknown trigger " + trigger);
  }
}
