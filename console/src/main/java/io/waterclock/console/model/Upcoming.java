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
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Computes when schedules occur next, by the scheduler's own rules.
 *
 * @param zone the zone of schedules that name none
 * @param calendars the calendars in force
 * @param jitter of a schedule
 */
public record Upcoming(
    ZoneId zone, Calendars calendars, Function<Schedule, Optional<Jitter>> jitter) {
  /** Of one search; ends those that calendars make long. */
  static final long MOST_STEPS = 100_000;

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
    return first(count, following(known, now));
  }

  /**
   * When {@link #after} is due, with as much effort for each. Empty if the topics do not show the
   * trigger of an active schedule.
   */
  public Optional<List<Instant>> dueAfter(KnownSchedule known, Instant now, int count) {
    return isActive(known)
        ? timetable(known, Effort.of(MOST_STEPS * count))
            .map(table -> first(count, notLeftOut(table, known, now)))
            .map(found -> found.stream().map(Occurrence::due).toList())
        : Optional.of(List.of());
  }

  private static List<Occurrence> first(int count, Iterator<Occurrence> each) {
    List<Occurrence> found = new ArrayList<>();
    while (found.size() < count && each.hasNext()) {
      found.add(each.next());
    }
    return found;
  }

  private static boolean isActive(KnownSchedule known) {
    return known.state().filter(State.ACTIVE::equals).isPresent();
  }

  /**
   * The same one by one, for as long as they are wanted.
   *
   * @param after exclusive: occurrences that are due later
   */
  public Iterator<Occurrence> following(KnownSchedule known, Instant after) {
    return following(known, after, Effort.of(MOST_STEPS));
  }

  /**
   * The same until an effort is spent.
   *
   * @param effort what the iterator spends its steps of
   */
  Iterator<Occurrence> following(KnownSchedule known, Instant after, Effort effort) {
    if (!isActive(known)) {
      return Collections.emptyIterator();
    }
    return timetable(known, effort)
        .map(table -> notLeftOut(table, known, after))
        .orElseGet(Collections::emptyIterator);
  }

  private static Iterator<Occurrence> notLeftOut(
      Timetable table, KnownSchedule known, Instant after) {
    return new NotLeftOut(table, known.skips(), () -> table.cursorAt(after));
  }

  /**
   * The occurrences of the trigger in force that the definition and calendars do not leave out,
   * whatever the state of the schedule and whatever commands skip.
   *
   * @param after exclusive: occurrences at later instants
   */
  public Iterator<Instant> named(KnownSchedule known, Instant after) {
    Optional<Timetable> table = timetable(known, Effort.of(MOST_STEPS));
    if (table.isEmpty()) {
      return Collections.emptyIterator();
    }
    Set<Instant> left = Set.copyOf(known.schedule().orElseThrow().getSkip());
    Iterator<Occurrence> each = new NotLeftOut(table.get(), left, () -> after);
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return each.hasNext();
      }

      @Override
      public Instant next() {
        return each.next().at();
      }
    };
  }

  /** Steps through a timetable until the effort is spent. */
  private static final class NotLeftOut implements Iterator<Occurrence> {
    private final Timetable table;
    private final Set<Instant> skips;
    private Optional<Occurrence> next;

    NotLeftOut(Timetable table, Set<Instant> skips, Supplier<Instant> cursor) {
      this.table = table;
      this.skips = skips;
      this.next = after(cursor);
    }

    private Optional<Occurrence> after(Supplier<Instant> cursor) {
      try {
        Optional<Occurrence> found = table.nextNotLeftOut(cursor.get());
        while (found.isPresent() && skips.contains(found.get().at())) {
          found = table.nextNotLeftOut(found.get().at());
        }
        return found;
      } catch (EffortSpentException e) {
        return Optional.empty(); // calendars leave out what comes for years
      }
    }

    @Override
    public boolean hasNext() {
      return next.isPresent();
    }

    @Override
    public Occurrence next() {
      Occurrence current = next.orElseThrow(NoSuchElementException::new);
      next = after(current::at);
      return current;
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
