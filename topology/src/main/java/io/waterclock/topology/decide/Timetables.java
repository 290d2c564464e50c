package io.waterclock.topology.decide;

import io.waterclock.occurrences.Cron;
import io.waterclock.occurrences.Every;
import io.waterclock.occurrences.IntervalUnit;
import io.waterclock.occurrences.InvalidTriggerException;
import io.waterclock.occurrences.Jitter;
import io.waterclock.occurrences.Once;
import io.waterclock.occurrences.Trigger;
import io.waterclock.occurrences.Zones;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Compiles accepted definitions to timetables. Parsed cron expressions are kept, since parsing one
 * costs a thousand times what searching it costs; all else is cheap to make anew.
 *
 * <p>Not thread-safe: one per task.
 */
public final class Timetables {
  private static final int KEPT_EXPRESSIONS = 20_000;

  private record Expression(String cron, String zone) {}

  private record Compiled(ScheduleId id, Accepted accepted, Timetable table) {}

  private final Map<Expression, Cron> crons =
      new LinkedHashMap<>(64, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Expression, Cron> eldest) {
          return size() > KEPT_EXPRESSIONS;
        }
      };
  private final Map<String, ZoneId> zones = new LinkedHashMap<>();

  private Calendars calendars = Calendars.NONE;

  /** What was asked for last: one decision asks for the same revision many times. */
  private Optional<Compiled> latest = Optional.empty();

  /** The calendars by which occurrences are judged. */
  public Calendars calendars() {
    return calendars;
  }

  /** Judges occurrences by these calendars from now on. */
  public void follow(Calendars changed) {
    calendars = changed;
    latest = Optional.empty();
  }

  /**
   * @throws InvalidTriggerException when the definition, though accepted once, does not compile: a
   *     zone that the time-zone data no longer knows
   */
  @SuppressWarnings("ReferenceEquality") // the very revision: what is equal to it need not be found
  public Timetable of(ScheduleId id, Accepted accepted) {
    if (latest.isPresent() && latest.get().accepted() == accepted && latest.get().id().equals(id)) {
      return latest.get().table();
    }
    Timetable table = compile(id, accepted);
    latest = Optional.of(new Compiled(id, accepted, table));
    return table;
  }

  private Timetable compile(ScheduleId id, Accepted accepted) {
    Schedule schedule = accepted.schedule();
    Trigger trigger =
        trigger(schedule, accepted.resolvedAt())
            .within(Optional.ofNullable(schedule.getStartAt()), accepted.boundedBy());
    Optional<Jitter> jitter =
        schedule.getJitterMs() == 0
            ? Optional.empty()
            : Optional.of(Jitter.of(Duration.ofMillis(schedule.getJitterMs())));
    Optional<Exclusions> exclusions =
        schedule.getExcept().isEmpty()
            ? Optional.empty()
            : Optional.of(calendars.of(schedule, zone(schedule.getTimezone())));
    return new Timetable(
        id.value(),
        trigger,
        jitter,
        accepted.dueFloor(),
        Optional.empty(),
        accepted.ownsAfter(),
        exclusions);
  }

  /** The timetable of the oldest revision that still owns undecided occurrences. */
  Timetable ofHead(ScheduleState state) {
    Timetable table = of(state.id(), state.head());
    return state.older().isEmpty() ? table : table.before(firstOfYounger(state.withoutHead()));
  }

  private Optional<Instant> firstOfYounger(ScheduleState state) {
    ScheduleState rest = state;
    while (true) {
      Optional<Instant> through = rest.headOwnsThrough();
      Optional<Instant> first =
          of(rest.id(), rest.head())
              .nextAfter(rest.decidedThrough())
              .map(Occurrence::at)
              .filter(at -> through.isEmpty() || !at.isAfter(through.get()));
      if (first.isPresent() || rest.older().isEmpty()) {
        return first;
      }
      rest = rest.withoutHead();
    }
  }

  /** False when a definition that was accepted once compiles no more, as its zone is gone. */
  boolean canCompile(ScheduleState state) {
    try {
      of(state.id(), state.current());
      state.older().forEach(older -> of(state.id(), older.accepted()));
      return true;
    } catch (InvalidTriggerException e) {
      return false;
    }
  }

  /**
   * The trigger alone, without bounds.
   *
   * @param resolvedAt the anchor of a grid or the instant of a Once
   */
  Trigger trigger(Schedule schedule, Optional<Instant> resolvedAt) {
    Object trigger = schedule.getTrigger();
    if (trigger instanceof CronTrigger cron) {
      Expression key = new Expression(cron.getExpression(), schedule.getTimezone());
      Cron parsed = crons.get(key);
      if (parsed == null) {
        parsed = Cron.parse(key.cron(), zone(key.zone()));
        crons.put(key, parsed);
      }
      return parsed;
    }
    Instant at = resolvedAt.orElseThrow();
    if (trigger instanceof EveryTrigger every) {
      IntervalUnit unit = IntervalUnit.valueOf(every.getUnit().name());
      return Every.of(at, every.getN(), unit, zone(schedule.getTimezone()));
    }
    if (trigger instanceof OnceTrigger) {
      return Once.of(at);
    }
    throw new IllegalStateException("unknown trigger " + trigger);
  }

  private ZoneId zone(String name) {
    return zones.computeIfAbsent(name, Zones::parse);
  }
}
