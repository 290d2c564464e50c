package io.waterclock.cli.online;

import io.waterclock.occurrences.Cron;
import io.waterclock.occurrences.Every;
import io.waterclock.occurrences.IntervalUnit;
import io.waterclock.occurrences.InvalidTriggerException;
import io.waterclock.occurrences.Once;
import io.waterclock.occurrences.Trigger;
import io.waterclock.occurrences.Zones;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.OnceTrigger;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.State;
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
    Optional<Schedule> schedule = entry.schedule();
    if (schedule.isEmpty() || (entry.currentRevision().isEmpty() && entry.newestIsRejected())) {
      return Optional.empty();
    }
    try {
      return trigger(schedule.get(), entry.currentRevision())
          .map(trigger -> occurrences(trigger, schedule.get(), entry.currentRevision(), count));
    } catch (InvalidTriggerException e) {
      return Optional.empty(); // accepted by a scheduler of another version
    }
  }

  private Optional<Trigger> trigger(Schedule schedule, Optional<Revision> revision) {
    ZoneId own = schedule.getTimezone() == null ? zone : Zones.parse(schedule.getTimezone());
    Optional<Instant> resolved = revision.map(Revision::getResolvedAt);
    Object trigger = schedule.getTrigger();
    if (trigger instanceof CronTrigger cron) {
      return Optional.of(Cron.parse(cron.getExpression(), own));
    }
    if (trigger instanceof EveryTrigger every) {
      IntervalUnit unit = IntervalUnit.valueOf(every.getUnit().name());
      return resolved
          .or(() -> Optional.ofNullable(every.getAnchor()))
          .map(anchor -> Every.of(anchor, every.getN(), unit, own));
    }
    OnceTrigger once = (OnceTrigger) trigger;
    return resolved.or(() -> Optional.ofNullable(once.getAt())).map(Once::of);
  }

  private List<Instant> occurrences(
      Trigger trigger, Schedule schedule, Optional<Revision> revision, int count) {
    Optional<Instant> end =
        revision.map(Revision::getBoundedBy).or(() -> Optional.ofNullable(schedule.getEndAt()));
    Trigger bounded = trigger.within(Optional.ofNullable(schedule.getStartAt()), end);
    List<Instant> found = new ArrayList<>();
    Optional<Instant> next = bounded.nextAfter(start(revision));
    while (next.isPresent() && found.size() < count) {
      if (!schedule.getSkip().contains(next.get())) {
        found.add(next.get());
      }
      next = bounded.nextAfter(next.get());
    }
    return found;
  }

  private Instant start(Optional<Revision> revision) {
    return revision.map(Revision::getOwnsAfter).filter(now::isBefore).orElse(now);
  }
}
