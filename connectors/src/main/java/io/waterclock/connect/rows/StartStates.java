package io.waterclock.connect.rows;

import static io.waterclock.connect.rows.RowField.ANCHOR;
import static io.waterclock.connect.rows.RowField.ANCHOR_FIRST;
import static io.waterclock.connect.rows.RowField.AT;
import static io.waterclock.connect.rows.RowField.ENABLED;
import static io.waterclock.connect.rows.RowField.END_AT;
import static io.waterclock.connect.rows.RowField.KIND;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.connect.rows.RowChange.Kind;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.ExportedState;
import java.time.Instant;
import java.util.Optional;

/**
 * The initial state of a schedule. A record may contain it in a header; the scheduler uses it only
 * if it does not know the schedule. So the scheduler, which remembers schedules, decides what was
 * first.
 *
 * <p>Three kinds of rows need it: an interval whose anchor is a column that changes later, a row
 * whose next run is in the past, which is due at once, and a one-time schedule in the past. The
 * scheduler forgets the latter some time after its fire. If a snapshot finds the row again, or an
 * update changes another column, the schedule counts as complete and does not fire again.
 */
record StartStates(RowMapping mapping) {
  /**
   * @param definition of the row, valid
   */
  Optional<ExportedState> of(
      ScheduleId id, RowChange change, MappedRow row, RowField trigger, ObjectNode definition) {
    if (trigger == AT) {
      Instant at = row.instant(AT).orElse(change.at());
      return isHistory(change, row, at) ? Optional.of(complete(at, change.at())) : Optional.empty();
    }
    if (trigger.isAnchored()) {
      return row.said(ANCHOR).isPresent()
          ? Optional.empty()
          : row.instant(ANCHOR_FIRST)
              .map(
                  anchor ->
                      begin(change.at(), overdue(id, definition, anchor, change.at()))
                          .setResolvedAt(anchor)
                          .setBoundedBy(row.instant(END_AT).orElse(null))
                          .build());
    }
    return NextRuns.of(row)
        .flatMap(next -> overdue(id, definition, next, change.at()))
        .map(due -> begin(change.at(), Optional.of(due)).build());
  }

  private boolean isHistory(RowChange change, MappedRow row, Instant at) {
    return change.kind() != Kind.INSERTED && !at.isAfter(change.at()) && !isAsked(change, row);
  }

  /** True if this change has set the time: then the row asks for a fire. */
  private boolean isAsked(RowChange change, MappedRow row) {
    return change.kind() == Kind.UPDATED
        && change
            .before()
            .map(before -> new MappedRow(mapping, before))
            .filter(
                before ->
                    !before.said(AT).equals(row.said(AT))
                        || !before.said(KIND).equals(row.said(KIND)))
            .isPresent();
  }

  /** A pause holds a row that is overdue, as it holds every other. */
  private static Optional<Instant> overdue(
      ScheduleId id, ObjectNode definition, Instant nextRun, Instant now) {
    return definition.has(ENABLED.key())
        ? Optional.empty()
        : NextRuns.overdue(id, definition, nextRun, now);
  }

  private static ExportedState complete(Instant at, Instant now) {
    return begin(now, Optional.empty())
        .setOwnsAfter(at)
        .setResolvedAt(at)
        .setCompletedAt(now)
        .build();
  }

  /**
   * @param due the first occurrence to decide; empty: the first one after now
   */
  private static ExportedState.Builder begin(Instant now, Optional<Instant> due) {
    Instant before = due.map(first -> first.minusMillis(1)).orElse(now);
    return ExportedState.newBuilder()
        .setWrittenAt(now)
        .setEffectiveAt(now)
        .setOwnsAfter(before)
        .setDecidedThrough(before);
  }
}
