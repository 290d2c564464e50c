package io.waterclock.topology.scheduler.store;

import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.Pending;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.decide.model.Timetables;
import io.waterclock.occurrences.core.EffortSpentException;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.ScheduleId;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The states of a task's schedules for decisions: the definition and its progress, which follows
 * from the position unless the schedule is out of step.
 */
public final class States {
  private final ScheduleStore schedules;
  private final ProgressStore progress;
  private final Timetables tables;

  /** Schedules that got out of step in this tick, not yet stored. */
  private final Map<ScheduleId, Unsaved> unsaved = new LinkedHashMap<>();

  public States(ScheduleStore schedules, ProgressStore progress, Timetables tables) {
    this.schedules = schedules;
    this.progress = progress;
    this.tables = tables;
  }

  public Map<ScheduleId, Unsaved> unsaved() {
    return unsaved;
  }

  /** The state of a schedule, in step or out of step. */
  public Optional<ScheduleState> load(ScheduleId id, Position position) {
    return load(id, position, true);
  }

  /**
   * @param mayHaveProgress false when the schedule is known to be in step, which saves a look-up
   */
  public Optional<ScheduleState> load(ScheduleId id, Position position, boolean mayHaveProgress) {
    Unsaved changed = unsaved.isEmpty() ? null : unsaved.get(id);
    if (changed != null) {
      return Optional.of(changed.state());
    }
    Optional<StoredSchedule> stored = schedules.get(id.utf8());
    if (stored.isEmpty()) {
      return Optional.empty();
    }
    if (mayHaveProgress) {
      Optional<ScheduleState> own = progress.get(id, stored.get());
      if (own.isPresent()) {
        return own;
      }
    }
    return Optional.of(inStep(id, stored.get(), position));
  }

  /** A state that is not stored yet, and what it waits for. */
  public record Unsaved(ScheduleState state, Optional<Pending> pending) {}

  /** Announces whether the next states will be loaded in the order of their ids, which is cheap. */
  public void expectAscending(boolean expected) {
    schedules.expectAscending(expected);
  }

  /** A schedule of a slice; {@code load} computes its state. */
  public record Row(ScheduleId id, StoredSchedule stored, boolean hasProgress) {}

  /**
   * Consecutive schedules.
   *
   * @param rows in ascending order of their ids
   * @param isLast true when no schedule follows
   */
  public record Slice(List<Row> rows, boolean isLast) {

    /** The last id of the slice; of an empty slice, {@code before}. */
    public Optional<ScheduleId> reached(Optional<ScheduleId> before) {
      return rows.isEmpty() ? before : Optional.of(rows.get(rows.size() - 1).id());
    }
  }

  /**
   * Up to {@code limit} schedules in ascending order, strictly after {@code after} if given; fewer
   * when they are large.
   */
  public Slice slice(Optional<ScheduleId> after, int limit) {
    ScheduleStore.Slice slice = schedules.rowsAfter(after, limit);
    List<ScheduleStore.Row> rows = slice.rows();
    if (rows.isEmpty()) {
      return new Slice(List.of(), slice.isLast());
    }
    Set<ScheduleId> outOfStep =
        progress.idsWithin(rows.get(0).id(), rows.get(rows.size() - 1).id());
    return new Slice(
        rows.stream()
            .map(row -> new Row(row.id(), row.stored(), outOfStep.contains(row.id())))
            .toList(),
        slice.isLast());
  }

  /** The state of a schedule of a slice. */
  public ScheduleState load(Row row, Position position) {
    return (row.hasProgress()
            ? progress.get(row.id(), row.stored())
            : Optional.<ScheduleState>empty())
        .orElseGet(() -> inStep(row.id(), row.stored(), position));
  }

  /** A schedule that lost its queue entry stays at that instant while the position advances. */
  private ScheduleState inStep(ScheduleId id, StoredSchedule stored, Position position) {
    Accepted accepted = stored.accepted();
    OptionalLong dropped = progress.dropped(id.utf8());
    Position reached =
        dropped.isEmpty() ? position : position.min(Position.before(dropped.getAsLong()));
    Instant decidedThrough =
        accepted.enabled() ? cursor(id, accepted, reached) : accepted.ownsAfter();
    return ScheduleState.of(id, accepted, decidedThrough, stored.completedAt());
  }

  private Instant cursor(ScheduleId id, Accepted accepted, Position position) {
    try {
      tables.effort().renew();
      return position.cursor(tables.of(id, accepted), id.utf8());
    } catch (EffortSpentException e) {
      tables.refuse(accepted); // the next decision faults the schedule
      return cursorWithoutTimetable(id, accepted, position);
    } catch (InvalidTriggerException e) {
      // a zone that the time-zone data no longer knows: the next decision faults the schedule
      return cursorWithoutTimetable(id, accepted, position);
    }
  }

  private static Instant cursorWithoutTimetable(
      ScheduleId id, Accepted accepted, Position position) {
    Instant cursor = position.cursorWithoutTimetable(id.utf8());
    return cursor.isAfter(accepted.ownsAfter()) ? cursor : accepted.ownsAfter();
  }
}
