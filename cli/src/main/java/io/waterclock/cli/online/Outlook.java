package io.waterclock.cli.online;

import io.waterclock.occurrences.InvalidTriggerException;
import io.waterclock.occurrences.Trigger;
import io.waterclock.occurrences.Zones;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.State;
import io.waterclock.topology.decide.Triggers;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The next occurrences of a schedule, worked out here.
 *
 * @param zone of schedules that name none
 */
record Outlook(ZoneId zone, Instant now) {

  /**
   * Up to {@code count} occurrences after now, none for a schedule that is not active. Empty if
   * that cannot be told: the grid of a trigger without an anchor is known from the revisions topic
   * alone, which forgets after 30 days.
   */
  Optional<List<Instant>> of(Entry entry, int count) {
    if (entry.state().filter(State.ACTIVE::equals).isEmpty()) {
      return Optional.of(List.of());
    }
    try {
      return trigger(entry).map(trigger -> occurrences(trigger, entry, count));
    } catch (InvalidTriggerException e) {
      return Optional.empty(); // accepted by a scheduler of another version
    }
  }

  /**
   * The trigger in force, within its bounds. Empty if that cannot be told.
   *
   * @throws InvalidTriggerException if it cannot be: it was accepted by a scheduler of another
   *     version, or never
   */
  Optional<Trigger> trigger(Entry entry) {
    Optional<Schedule> schedule = entry.schedule();
    Optional<Revision> revision = entry.currentRevision();
    if (schedule.isEmpty() || (revision.isEmpty() && entry.newestIsRejected())) {
      return Optional.empty();
    }
    Optional<Instant> end =
        revision
            .map(Revision::getBoundedBy)
            .or(() -> Optional.ofNullable(schedule.get().getEndAt()));
    return Triggers.known(schedule.get(), zone(entry), revision.map(Revision::getResolvedAt))
        .map(trigger -> trigger.within(Optional.ofNullable(schedule.get().getStartAt()), end));
  }

  /** The zone in which a schedule is read. */
  ZoneId zone(Entry entry) {
    return entry.schedule().map(Schedule::getTimezone).map(Zones::parse).orElse(zone);
  }

  private List<Instant> occurrences(Trigger trigger, Entry entry, int count) {
    List<Instant> skip = entry.schedule().map(Schedule::getSkip).orElse(List.of());
    List<Instant> found = new ArrayList<>();
    Optional<Instant> next = trigger.nextAfter(start(entry.currentRevision()));
    while (next.isPresent() && found.size() < count) {
      if (!skip.contains(next.get())) {
        found.add(next.get());
      }
      next = trigger.nextAfter(next.get());
    }
    return found;
  }

  private Instant start(Optional<Revision> revision) {
    return revision.map(Revision::getOwnsAfter).filter(now::isBefore).orElse(now);
  }
}
