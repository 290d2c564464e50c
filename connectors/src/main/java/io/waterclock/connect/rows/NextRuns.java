package io.waterclock.connect.rows;

import static io.waterclock.connect.rows.RowField.ANCHOR_FIRST;
import static java.time.temporal.ChronoUnit.MILLIS;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.connect.rows.RowChange.Kind;
import io.waterclock.definition.Triggers;
import io.waterclock.occurrences.Trigger;
import io.waterclock.occurrences.Zones;
import io.waterclock.occurrences.core.Effort;
import io.waterclock.occurrences.core.EffortSpentException;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.json.ScheduleJson;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Decides whether a row is due now because of its column with the next run. A scheduler that polls
 * a table runs a row as soon as this time has passed; so a row with a time in the past is due when
 * its schedule begins, and so is a row whose time an update sets to now or to the past.
 *
 * <p>{@code RunTimes} writes the same column: late if the database was away, and an earlier value
 * again if Connect was restarted. What it writes and what was there before are occurrences of one
 * grid; another time in the past comes from somebody who wants a run.
 */
record NextRuns(RowMapping mapping) {

  /**
   * The occurrence that is due when a schedule begins: the last one at or before now, but not
   * before the row's next run.
   *
   * @param definition a valid definition
   */
  static Optional<Instant> overdue(
      ScheduleId id, ObjectNode definition, Instant nextRun, Instant now) {
    return lastAtOrBefore(id, definition, nextRun, now)
        .filter(last -> !last.isBefore(nextRun.truncatedTo(MILLIS)));
  }

  /**
   * True if an update has set the next run so that the row is due now. The database must log the
   * row before the change.
   *
   * @param definition of the row, valid
   */
  boolean isDue(ScheduleId id, RowChange change, MappedRow row, ObjectNode definition) {
    if (change.kind() != Kind.UPDATED || change.before().isEmpty() || !mapping.has(ANCHOR_FIRST)) {
      return false;
    }
    Optional<Instant> old = of(new MappedRow(mapping, change.before().get()));
    return of(row)
        .filter(next -> !next.truncatedTo(MILLIS).isAfter(change.at()))
        .filter(next -> !old.equals(Optional.of(next)))
        .filter(next -> old.isEmpty() || !isWrittenBack(id, definition, old.get(), next))
        .isPresent();
  }

  /** The row's next run; empty if it has none that can be read. */
  static Optional<Instant> of(MappedRow row) {
    try {
      return row.instant(ANCHOR_FIRST);
    } catch (BadRowException e) {
      return Optional.empty();
    }
  }

  /** A grid counts from the first of the two; cron names both of them or not. */
  private static boolean isWrittenBack(
      ScheduleId id, ObjectNode definition, Instant old, Instant next) {
    Instant first = next.isBefore(old) ? next : old;
    Instant last = next.isBefore(old) ? old : next;
    return Stream.of(last, next)
        .allMatch(t -> lastAtOrBefore(id, definition, first, t).equals(Optional.of(t)));
  }

  private static Optional<Instant> lastAtOrBefore(
      ScheduleId id, ObjectNode definition, Instant anchor, Instant t) {
    Schedule schedule = ScheduleJson.read(definition, ZoneOffset.UTC).schedule();
    ZoneId zone =
        schedule.getTimezone() == null ? ZoneOffset.UTC : Zones.parse(schedule.getTimezone());
    try {
      Trigger trigger =
          Triggers.of(id.value(), schedule, zone, Optional.of(anchor.truncatedTo(MILLIS)))
              .within(
                  Optional.ofNullable(schedule.getStartAt()),
                  Optional.ofNullable(schedule.getEndAt()));
      return trigger.metered(Effort.of(Effort.SEARCH)).lastAtOrBefore(t);
    } catch (InvalidTriggerException | EffortSpentException e) {
      return Optional.empty(); // an anchor outside of the years that triggers know
    }
  }
}
