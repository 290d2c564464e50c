package io.waterclock.decide.model;

import io.waterclock.definition.Calendars;
import io.waterclock.definition.Exclusions;
import io.waterclock.definition.Occurrence;
import io.waterclock.definition.Timetable;
import io.waterclock.definition.Triggers;
import io.waterclock.occurrences.Cron;
import io.waterclock.occurrences.Trigger;
import io.waterclock.occurrences.Zones;
import io.waterclock.occurrences.core.Effort;
import io.waterclock.occurrences.core.EffortSpentException;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Dialect;
import io.waterclock.schemas.avro.Overlap;
import io.waterclock.schemas.avro.RRuleTrigger;
import io.waterclock.schemas.avro.Schedule;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Compiles accepted definitions to timetables. Caches parsed cron expressions and recurrence rules,
 * since parsing costs a thousand times as much as a search; everything else is cheap to create.
 *
 * <p>All timetables spend from one meter, which bounds the cost of a decision: see {@link #effort}.
 * A revision that needs more is <em>refused</em>, like one that does not compile, until the task
 * restarts.
 *
 * <p>Not thread-safe: one per task.
 */
public final class Timetables {
  private static final int KEPT = 20_000;
  private static final int MAX_REFUSED = 10_000;

  /** The key of the cache: the text and the other inputs of parsing. */
  private record Text(
      String text,
      Dialect dialect,
      String zone,
      Optional<Instant> anchor,
      Optional<LocalDateTime> localAnchor) {}

  private record Compiled(ScheduleId id, Accepted accepted, Timetable table) {}

  private final Map<Text, Trigger> parsed =
      new LinkedHashMap<>(64, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Text, Trigger> eldest) {
          return size() > KEPT;
        }
      };
  private final Map<String, ZoneId> zones = new LinkedHashMap<>();

  /** The revisions that needed too much effort. */
  private final Set<String> refused = new HashSet<>();

  private final Effort effort;
  private final Function<String, ZoneId> lookup;
  private Calendars calendars = Calendars.NONE;

  /** The latest result: one decision requests the same revision many times. */
  private Optional<Compiled> latest = Optional.empty();

  /** Timetables for decisions: each decision has {@link Effort#DECISION} steps. */
  public Timetables() {
    this(Effort.of(Effort.DECISION), Zones::parse);
  }

  private Timetables(Effort effort, Function<String, ZoneId> lookup) {
    this.effort = effort;
    this.lookup = lookup;
  }

  /**
   * Timetables for decisions with other time-zone data.
   *
   * @param lookup finds a zone by its name; throws an {@link InvalidTriggerException} for an
   *     unknown one
   */
  public static Timetables inZones(Function<String, ZoneId> lookup) {
    return new Timetables(Effort.of(Effort.DECISION), lookup);
  }

  /** The meter of all timetables. The caller renews it at the start of a computation. */
  public Effort effort() {
    return effort;
  }

  /** Refuses this revision from now on, since it needs too much effort. */
  public void refuse(Accepted accepted) {
    if (refused.size() >= MAX_REFUSED) {
      refused.clear();
    }
    refused.add(accepted.revision());
    latest = Optional.empty();
  }

  /** Undoes a refusal. */
  public void allow(Accepted accepted) {
    refused.remove(accepted.revision());
  }

  /** The calendars in use. */
  public Calendars calendars() {
    return calendars;
  }

  /** Uses these calendars from now on. */
  public void follow(Calendars changed) {
    calendars = changed;
    latest = Optional.empty();
  }

  /**
   * @throws InvalidTriggerException when the accepted definition no longer compiles: the time-zone
   *     data no longer has its zone
   * @throws EffortSpentException when the revision is refused
   */
  @SuppressWarnings("ReferenceEquality") // the same object: an equal one need not be found
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
        trigger(id, schedule, accepted.resolvedAt())
            .within(Optional.ofNullable(schedule.getStartAt()), accepted.boundedBy());
    return new Timetable(
        id.value(),
        trigger,
        Triggers.jitter(schedule),
        accepted.dueFloor(),
        Optional.empty(),
        accepted.ownsAfter(),
        Exclusions.of(schedule, zone(schedule), calendars, effort),
        effort);
  }

  /**
   * The timetable of the oldest revision that still owns undecided occurrences. Costs a search for
   * each younger revision, up to the first that owns an occurrence.
   */
  public Timetable ofHead(ScheduleState state) {
    Timetable table = of(state.id(), state.head());
    return state.older().isEmpty() ? table : table.before(firstOfYounger(state.withoutHead()));
  }

  /** The first undecided occurrence that the head owns, paused or not. Costs one search. */
  public Optional<Instant> firstOfHead(ScheduleState state) {
    Optional<Instant> through = state.headOwnsThrough();
    return of(state.id(), state.head())
        .nextAfter(state.decidedThrough())
        .map(Occurrence::at)
        .filter(at -> through.isEmpty() || !at.isAfter(through.get()));
  }

  private Optional<Instant> firstOfYounger(ScheduleState state) {
    ScheduleState rest = state;
    while (true) {
      effort.spend(1);
      Optional<Instant> first = firstOfHead(rest);
      if (first.isPresent() || rest.older().isEmpty()) {
        return first;
      }
      rest = rest.withoutHead();
    }
  }

  /**
   * True when a revision, if nothing holds it, has fired its last occurrence by an instant: its
   * last one is due then, inclusive. Costs two searches, or one while it goes on.
   */
  public boolean isOver(ScheduleId id, Accepted accepted, Instant by) {
    return overSince(id, accepted, by).isPresent();
  }

  /** Since when a revision is over that is over by an instant; costs as much as {@link #isOver}. */
  public Optional<Instant> overSince(ScheduleId id, Accepted accepted, Instant by) {
    Instant effective = accepted.effectiveAt();
    if (effective.isAfter(by)) {
      return Optional.empty();
    }
    Timetable table = of(id, accepted);
    if (table.nextAfter(by).isPresent()) {
      return Optional.empty();
    }
    return table
        .lastOwned(by)
        .flatMap(last -> table.nextAfter(last.minusMillis(1)))
        .map(Occurrence::due)
        .filter(effective::isBefore)
        .or(() -> Optional.of(effective))
        .filter(since -> !since.isAfter(by));
  }

  /**
   * True for a pause that came when the schedule was over, and neither a run nor a backfill went
   * on: it holds nothing. While a scheduler is up, such a pause is refused.
   */
  public boolean isHeldInVain(ScheduleState state) {
    return state
        .commanded()
        .pause()
        .filter(pause -> !pause.foundWork())
        .map(Pause::since)
        .filter(since -> wasFree(state, since))
        .filter(since -> isOver(state.id(), state.current(), since))
        .filter(since -> !mightRun(state, since))
        .isPresent();
  }

  /** The same without a pause that holds nothing. */
  public ScheduleState withoutVainPause(ScheduleState state) {
    return isHeldInVain(state)
        ? state.with(state.commanded().resumed(!state.current().enabled()))
        : state;
  }

  /** True when a pause found the schedule neither held nor at work. */
  private static boolean wasFree(ScheduleState state, Instant pausedAt) {
    Accepted current = state.current();
    boolean isResumed =
        current
            .resumed()
            .map(Resumed::at)
            .filter(at -> at.isAfter(current.declaredAt()) && !at.isAfter(pausedAt))
            .isPresent();
    return (current.enabled() || isResumed)
        && state.commanded().backfills().isEmpty()
        && state.runs().areOverBefore(pausedAt);
  }

  /**
   * True when a run of the last occurrence might have gone on, had it fired in time: BUFFER_ONE
   * holds it back for a run before it, for as long as that one may take.
   */
  private boolean mightRun(ScheduleState state, Instant at) {
    Schedule schedule = state.current().schedule();
    if (schedule.getOverlap() == Overlap.ALLOW) {
      return false;
    }
    Timetable table = of(state.id(), state.current());
    return table
        .lastOwned(at)
        .flatMap(last -> table.nextAfter(last.minusMillis(1)))
        .flatMap(
            last ->
                Run.timeout(schedule, last.at(), table.previous(last.at()), table.next(last.at()))
                    .map(
                        timeout ->
                            last.due()
                                .plus(
                                    timeout.multipliedBy(mayWait(last, table, schedule) ? 2 : 1))))
        .filter(end -> !end.isBefore(at))
        .isPresent();
  }

  /** True when a run of an earlier occurrence may hold one back. */
  private static boolean mayWait(Occurrence occurrence, Timetable table, Schedule schedule) {
    return schedule.getOverlap() == Overlap.BUFFER_ONE
        && table.previous(occurrence.at()).isPresent();
  }

  /**
   * The progress of a life that ends now.
   *
   * @param through inclusive: where its current revision ends
   */
  public EarlierLives ended(ScheduleState state, Instant through) {
    boolean isBehind = state.older().isEmpty() && through.isBefore(state.decidedThrough());
    Instant decided = isBehind ? state.decidedThrough() : through;
    return new EarlierLives(
        through,
        of(state.id(), state.current()).lastOwned(decided).or(state.current()::ownedBefore));
  }

  /**
   * False when an accepted definition no longer compiles, since its zone is missing or it is
   * refused.
   */
  public boolean canCompile(ScheduleState state) {
    return canCompile(state.id(), state.current())
        && state.older().stream().allMatch(older -> canCompile(state.id(), older.accepted()));
  }

  /** True when the trigger of this revision compiles. */
  public boolean canCompile(ScheduleId id, Accepted accepted) {
    try {
      of(id, accepted);
      return true;
    } catch (InvalidTriggerException | EffortSpentException e) {
      return false;
    }
  }

  /**
   * The trigger without bounds.
   *
   * @param resolvedAt the anchor of a grid or a recurrence rule, the instant of a Once
   */
  public Trigger trigger(ScheduleId id, Schedule schedule, Optional<Instant> resolvedAt) {
    Optional<Text> text = text(id, schedule, resolvedAt);
    if (text.isEmpty()) {
      return Triggers.of(id.value(), schedule, zone(schedule), resolvedAt);
    }
    Trigger known = parsed.get(text.get());
    if (known == null) {
      known = Triggers.of(id.value(), schedule, zone(schedule), resolvedAt, effort);
      parsed.put(text.get(), known);
    }
    return known;
  }

  private static Optional<Text> text(
      ScheduleId id, Schedule schedule, Optional<Instant> resolvedAt) {
    if (schedule.getTrigger() instanceof CronTrigger cron) {
      String expression = Cron.ofId(cron.getExpression(), Triggers.dialect(schedule), id.value());
      return Optional.of(text(expression, schedule, Optional.empty()));
    }
    return schedule.getTrigger() instanceof RRuleTrigger rrule
        ? Optional.of(text(rrule.getRule(), schedule, resolvedAt))
        : Optional.empty();
  }

  private static Text text(String text, Schedule schedule, Optional<Instant> anchor) {
    return new Text(
        text,
        schedule.getDialect(),
        schedule.getTimezone(),
        anchor,
        Triggers.localAnchor(schedule.getTrigger()));
  }

  /**
   * The zone of an accepted definition.
   *
   * @throws InvalidTriggerException if there is none with its name
   */
  public ZoneId zone(Schedule schedule) {
    return zones.computeIfAbsent(schedule.getTimezone(), lookup);
  }
}
