package io.waterclock.cli.read;

import io.waterclock.cli.calendar.CalendarTopic;
import io.waterclock.cli.cluster.Cluster;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.Timetables;
import io.waterclock.definition.Calendars;
import io.waterclock.definition.Occurrence;
import io.waterclock.definition.Timetable;
import io.waterclock.definition.Triggers;
import io.waterclock.occurrences.Trigger;
import io.waterclock.occurrences.Zones;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.ScheduleSnapshot;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.State;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Computes the next occurrences of schedules on this machine.
 *
 * @param zone the zone of schedules without one
 * @param calendars the calendars in force
 */
public record NextOccurrences(ZoneId zone, Instant now, Calendars calendars) {

  /** Reads the calendars if one of the schedules names any. */
  public static NextOccurrences of(
      ZoneId zone, Instant now, Cluster cluster, Collection<KnownSchedule> entries) {
    boolean areNamed =
        entries.stream()
            .flatMap(entry -> entry.schedule().stream())
            .anyMatch(schedule -> !schedule.getExcept().isEmpty());
    Calendars calendars = areNamed ? new CalendarTopic(cluster).inForce() : Calendars.NONE;
    return new NextOccurrences(zone, now, calendars);
  }

  /**
   * Up to {@code count} next occurrences, without skipped and excluded ones, each where a calendar
   * moves it; none for a schedule that is not active. Empty if they are unknown: only the topic
   * revisions holds the anchor of a trigger without one, and retains it for 30 days.
   */
  public Optional<List<Instant>> of(KnownSchedule entry, int count) {
    if (entry.state().filter(State.ACTIVE::equals).isEmpty()) {
      return Optional.of(List.of());
    }
    try {
      return trigger(entry).map(trigger -> occurrences(entry, count));
    } catch (InvalidTriggerException e) {
      return Optional.empty(); // accepted by a scheduler of another version
    }
  }

  /**
   * The trigger in force, within its bounds. Empty if it is unknown.
   *
   * @throws InvalidTriggerException if it is invalid: a scheduler of another version has accepted
   *     it, or none
   */
  public Optional<Trigger> trigger(KnownSchedule entry) {
    Optional<Schedule> schedule = entry.schedule();
    Optional<Revision> revision = entry.currentRevision();
    if (schedule.isEmpty() || (revision.isEmpty() && entry.newestIsRejected())) {
      return Optional.empty();
    }
    return Triggers.known(
            entry.id(), schedule.get(), zone(entry), revision.map(Revision::getResolvedAt))
        .map(
            trigger ->
                trigger.within(
                    Optional.ofNullable(schedule.get().getStartAt()), end(entry, schedule.get())));
  }

  ZoneId zone(KnownSchedule entry) {
    return entry.schedule().map(Schedule::getTimezone).map(Zones::parse).orElse(zone);
  }

  private List<Instant> occurrences(KnownSchedule entry, int count) {
    Schedule schedule = Schedule.newBuilder(entry.schedule().orElseThrow()).build();
    schedule.setTimezone(zone(entry).getId());
    schedule.setJitterMs(0);
    Timetables tables = Timetables.unmetered();
    tables.follow(calendars);
    Timetable table = tables.of(ScheduleId.parse(entry.id()), accepted(entry, schedule));
    Set<Instant> skips = entry.skips();
    List<Instant> found = new ArrayList<>();
    Optional<Occurrence> next = table.nextNotLeftOut(table.cursorAt(now));
    while (next.isPresent() && found.size() < count) {
      if (!skips.contains(next.get().at())) {
        found.add(next.get().due());
      }
      next = table.nextNotLeftOut(next.get().at());
    }
    return found;
  }

  private Accepted accepted(KnownSchedule entry, Schedule schedule) {
    Optional<Revision> revision = entry.currentRevision();
    Instant ownsAfter = revision.map(Revision::getOwnsAfter).orElse(Instant.MIN);
    return new Accepted(
        ScheduleSnapshot.of(schedule),
        revision.map(Revision::getRevision).orElse(""),
        ownsAfter,
        ownsAfter,
        ownsAfter,
        revision
            .map(Revision::getResolvedAt)
            .or(() -> Triggers.resolve(schedule, zone(entry), Instant.EPOCH)),
        end(entry, schedule),
        Optional.empty(),
        Optional.empty(),
        ownsAfter,
        Optional.empty());
  }

  private static Optional<Instant> end(KnownSchedule entry, Schedule schedule) {
    return entry
        .currentRevision()
        .map(Revision::getBoundedBy)
        .or(() -> Optional.ofNullable(schedule.getEndAt()));
  }
}
