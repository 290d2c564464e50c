package io.waterclock.topology.scheduler.model;

import io.waterclock.definition.Calendars;
import io.waterclock.definition.Exclusions;
import io.waterclock.definition.Triggers;
import io.waterclock.occurrences.Jitter;
import io.waterclock.occurrences.Trigger;
import io.waterclock.occurrences.Zones;
import io.waterclock.occurrences.core.Effort;
import io.waterclock.occurrences.core.EffortSpentException;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.RRuleTrigger;
import io.waterclock.schemas.avro.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Compiles accepted definitions to timetables. Parsed cron expressions and recurrence rules are
 * kept, since parsing one costs a thousand times what searching it costs; all else is cheap to make
 * anew.
 *
 * <p>All of them spend from one meter, which bounds what a decision may cost: see {@link #effort}.
 * A revision that needs more is <em>refused</em>, as one that does not compile is, until the task
 * starts anew.
 *
 * <p>Not thread-safe: one per task.
 */
public final class Timetables {
  private static final int KEPT = 20_000;
  private static final int MAX_REFUSED = 10_000;

  /** What has to be parsed, and what else the result depends on. */
  private record Text(String text, String zone, Optional<Instant> anchor) {}

  private record Compiled(ScheduleId id, Accepted accepted, Timetable table) {}

  private final Map<Text, Trigger> parsed =
      new LinkedHashMap<>(64, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Text, Trigger> eldest) {
          return size() > KEPT;
        }
      };
  private final Map<String, ZoneId> zones = new LinkedHashMap<>();

  /** The revisions that took too much effort. */
  private final Set<String> refused = new HashSet<>();

  private final Effort effort;
  private Calendars calendars = Calendars.NONE;

  /** What was asked for last: one decision asks for the same revision many times. */
  private Optional<Compiled> latest = Optional.empty();

  /** For decisions: each has {@link Effort#DECISION} steps. */
  public Timetables() {
    this(Effort.of(Effort.DECISION));
  }

  private Timetables(Effort effort) {
    this.effort = effort;
  }

  /** For one who asks on a thread of its own, as long as it likes. */
  public static Timetables unmetered() {
    return new Timetables(Effort.unlimited());
  }

  /** The meter of all timetables. Whoever begins a computation renews it. */
  public Effort effort() {
    return effort;
  }

  /** Compiles this revision no more, as it takes too much effort. */
  public void refuse(Accepted accepted) {
    if (refused.size() >= MAX_REFUSED) {
      refused.clear();
    }
    refused.add(accepted.revision());
    latest = Optional.empty();
  }

  /** Takes a refusal back. */
  public void allow(Accepted accepted) {
    refused.remove(accepted.revision());
  }

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
   * @throws EffortSpentException when it was refused
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
    if (!refused.isEmpty() && refused.contains(accepted.revision())) {
      throw effort.exception();
    }
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
            : Optional.of(calendars.of(schedule, zone(schedule.getTimezone()), effort));
    return new Timetable(
        id.value(),
        trigger,
        jitter,
        accepted.dueFloor(),
        Optional.empty(),
        accepted.ownsAfter(),
        exclusions,
        effort);
  }

  /** The timetable of the oldest revision that still owns undecided occurrences. */
  public Timetable ofHead(ScheduleState state) {
    Timetable table = of(state.id(), state.head());
    return state.older().isEmpty() ? table : table.before(firstOfYounger(state.withoutHead()));
  }

  private Optional<Instant> firstOfYounger(ScheduleState state) {
    ScheduleState rest = state;
    while (true) {
      effort.spend(1);
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

  /**
   * False when a definition that was accepted once compiles no more, as its zone is gone or it was
   * refused.
   */
  public boolean canCompile(ScheduleState state) {
    try {
      of(state.id(), state.current());
      state.older().forEach(older -> of(state.id(), older.accepted()));
      return true;
    } catch (InvalidTriggerException | EffortSpentException e) {
      return false;
    }
  }

  /**
   * The trigger alone, without bounds.
   *
   * @param resolvedAt the anchor of a grid or a recurrence rule, the instant of a Once
   */
  public Trigger trigger(Schedule schedule, Optional<Instant> resolvedAt) {
    Optional<Text> text = text(schedule, resolvedAt);
    if (text.isEmpty()) {
      return Triggers.of(schedule, zone(schedule.getTimezone()), resolvedAt);
    }
    Trigger known = parsed.get(text.get());
    if (known == null) {
      known = Triggers.of(schedule, zone(schedule.getTimezone()), resolvedAt).metered(effort);
      parsed.put(text.get(), known);
    }
    return known;
  }

  private static Optional<Text> text(Schedule schedule, Optional<Instant> resolvedAt) {
    if (schedule.getTrigger() instanceof CronTrigger cron) {
      return Optional.of(new Text(cron.getExpression(), schedule.getTimezone(), Optional.empty()));
    }
    return schedule.getTrigger() instanceof RRuleTrigger rrule
        ? Optional.of(new Text(rrule.getRule(), schedule.getTimezone(), resolvedAt))
        : Optional.empty();
  }

  private ZoneId zone(String name) {
    return zones.computeIfAbsent(name, Zones::parse);
  }
}
