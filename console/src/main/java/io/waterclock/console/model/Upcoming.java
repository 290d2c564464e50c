package io.waterclock.console.model;

import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.definition.Calendars;
import io.waterclock.definition.Exclusions;
import io.waterclock.definition.Occurrence;
import io.waterclock.definition.Timetable;
import io.waterclock.definition.Triggers;
import io.waterclock.occurrences.Jitter;
import io.waterclock.occurrences.Trigger;
import io.waterclock.occurrences.Zones;
import io.waterclock.occurrences.core.Effort;
import io.waterclock.occurrences.core.EffortSpentException;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.State;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Computes when schedules occur next, by the scheduler's own rules.
 *
 * @param zone the zone of schedules that name none
 */
public record Upcoming(
    ZoneId zone, Calendars calendars, Function<Schedule, Optional<Jitter>> jitter) {
  /** Of one search; ends those that calendars make long. */
  static final long MOST_STEPS = 100_000;

  /** Ten years. */
  private static final Duration FAR = Duration.ofDays(3_653);

  /** As the schedules are. */
  public Upcoming(ZoneId zone, Calendars calendars) {
    this(zone, calendars, Triggers::jitter);
  }

  /** The same if no schedule had jitter: occurrences are due at their instants, or moved. */
  public Upcoming withoutJitter() {
    return new Upcoming(zone, calendars, schedule -> Optional.empty());
  }

  /** The same if schedules without jitter had one. */
  Upcoming with(Jitter other) {
    return new Upcoming(
        zone, calendars, schedule -> jitter.apply(schedule).or(() -> Optional.of(other)));
  }

  /** The zone that a schedule's definition names, or the default; it may be no zone. */
  public String zoneName(KnownSchedule known) {
    return known.schedule().map(Schedule::getTimezone).orElse(zone.getId());
  }

  /**
   * The zone of a schedule.
   *
   * @throws InvalidTriggerException if its definition names none
   */
  public ZoneId zone(KnownSchedule known) {
    return known.schedule().map(Schedule::getTimezone).map(Zones::parse).orElse(zone);
  }

  /**
   * The trigger in force, within its bounds. Empty if the topics do not show it: a rejected
   * definition, or an anchor that only a record older than its retention held.
   *
   * @throws InvalidTriggerException if it is invalid: a scheduler of another version has accepted
   *     it, or none
   */
  public Optional<Trigger> trigger(KnownSchedule known) {
    Optional<Schedule> schedule = known.schedule();
    Optional<Revision> revision = known.currentRevision();
    if (schedule.isEmpty() || (revision.isEmpty() && known.newestIsRejected())) {
      return Optional.empty();
    }
    return Triggers.known(
            known.id(), schedule.get(), zone(known), revision.map(Revision::getResolvedAt))
        .map(
            trigger ->
                trigger.within(
                    Optional.ofNullable(schedule.get().getStartAt()),
                    end(schedule.get(), revision)));
  }

  /**
   * The next occurrences of an active schedule, without those that a calendar, the definition or a
   * command leaves out; none for other states.
   *
   * @param now exclusive: occurrences that are due later
   */
  public List<Occurrence> after(KnownSchedule known, Instant now, int count) {
    return following(known, now).limit(count).toList();
  }

  /**
   * When {@link #after} is due, with as much effort for each. Empty if the topics do not show the
   * trigger of an active schedule.
   */
  public Optional<List<Instant>> dueAfter(KnownSchedule known, Instant now, int count) {
    return isActive(known)
        ? timetable(known, Effort.of(MOST_STEPS * count))
            .map(table -> notLeftOut(table, known.skips(), () -> table.cursorAt(now)))
            .map(found -> found.limit(count).map(Occurrence::due).toList())
        : Optional.of(List.of());
  }

  /**
   * Whether an active schedule never fires, or not for {@link #FAR}, although its trigger goes on:
   * calendars, skips and the like leave out all that comes, for as far as an effort finds. False if
   * the trigger is unknown.
   */
  public boolean neverFires(KnownSchedule known, Instant now) {
    try {
      return isActive(known)
          && dueAfter(known, now, 1)
              .filter(due -> due.stream().allMatch(at -> isFar(at, now)))
              .isPresent()
          && trigger(known)
              .flatMap(trigger -> trigger.nextAfter(now))
              .filter(named -> !isFar(named, now))
              .isPresent();
    } catch (InvalidTriggerException e) {
      return false;
    }
  }

  /** Whether an occurrence is so far away that it was probably not meant. */
  public static boolean isFar(Instant at, Instant now) {
    return at.isAfter(now.plus(FAR));
  }

  /**
   * Whether a schedule was complete when its definition took effect, as its bounds name nothing
   * after that. False if the trigger is unknown.
   */
  public boolean endedAtBirth(KnownSchedule known) {
    try {
      return known.state().filter(State.COMPLETED::equals).isPresent()
          && known
              .currentRevision()
              .map(Revision::getOwnsAfter)
              .flatMap(owned -> trigger(known).map(trigger -> trigger.nextAfter(owned).isEmpty()))
              .orElse(false);
    } catch (InvalidTriggerException e) {
      return false;
    }
  }

  private static boolean isActive(KnownSchedule known) {
    return known.state().filter(State.ACTIVE::equals).isPresent();
  }

  /**
   * The same one by one, for as long as they are wanted.
   *
   * @param after exclusive: occurrences that are due later
   */
  public Stream<Occurrence> following(KnownSchedule known, Instant after) {
    return following(known, after, Effort.of(MOST_STEPS));
  }

  /**
   * The same until an effort is spent.
   *
   * @param effort what the stream spends its steps of
   */
  Stream<Occurrence> following(KnownSchedule known, Instant after, Effort effort) {
    return Optional.of(known)
        .filter(Upcoming::isActive)
        .flatMap(active -> timetable(active, effort))
        .map(table -> notLeftOut(table, known.skips(), () -> table.cursorAt(after)))
        .orElseGet(Stream::empty);
  }

  /**
   * The occurrences of the trigger in force that the definition and calendars do not leave out,
   * whatever the state of the schedule and whatever commands skip.
   *
   * @param after exclusive: occurrences at later instants
   */
  public Stream<Instant> named(KnownSchedule known, Instant after) {
    return timetable(known, Effort.of(MOST_STEPS))
        .map(
            table ->
                notLeftOut(
                    table, Set.copyOf(known.schedule().orElseThrow().getSkip()), () -> after))
        .orElseGet(Stream::empty)
        .map(Occurrence::at);
  }

  /** Steps through a timetable until the effort is spent. */
  private static Stream<Occurrence> notLeftOut(
      Timetable table, Set<Instant> skips, Supplier<Instant> cursor) {
    return Stream.iterate(
            next(table, cursor),
            Optional::isPresent,
            last -> next(table, () -> last.orElseThrow().at()))
        .map(Optional::orElseThrow)
        .filter(one -> !skips.contains(one.at()));
  }

  private static Optional<Occurrence> next(Timetable table, Supplier<Instant> cursor) {
    try {
      return table.nextNotLeftOut(cursor.get());
    } catch (EffortSpentException e) {
      return Optional.empty(); // calendars leave out what comes for years
    }
  }

  /** Empty if the trigger is unknown, or the newest record has a jitter that none accepts. */
  private Optional<Timetable> timetable(KnownSchedule known, Effort effort) {
    try {
      return trigger(known).map(trigger -> timetable(known, trigger, effort));
    } catch (InvalidTriggerException e) {
      return Optional.empty();
    }
  }

  private Timetable timetable(KnownSchedule known, Trigger trigger, Effort effort) {
    Schedule schedule = known.schedule().orElseThrow();
    return new Timetable(
        known.id(),
        trigger.metered(effort),
        jitter.apply(schedule),
        Optional.empty(),
        Optional.empty(),
        known.currentRevision().map(Revision::getOwnsAfter).orElse(Instant.MIN),
        Exclusions.of(schedule, zone(known), calendars, effort),
        effort);
  }

  private static Optional<Instant> end(Schedule schedule, Optional<Revision> revision) {
    return revision.map(Revision::getBoundedBy).or(() -> Optional.ofNullable(schedule.getEndAt()));
  }
}
