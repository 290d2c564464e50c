package io.waterclock.topology.stream;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.decide.Accepted;
import io.waterclock.topology.decide.ScheduleState;
import io.waterclock.topology.decide.Timetables;
import io.waterclock.topology.state.Position;
import io.waterclock.topology.state.ProgressStore;
import io.waterclock.topology.state.ScheduleStore;
import io.waterclock.topology.state.StoredSchedule;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The states of a task's schedules as decisions see them: the definition, and how far it is
 * decided, which follows from the position unless the schedule is out of step.
 */
final class States {
  private final ScheduleStore schedules;
  private final ProgressStore progress;
  private final Timetables tables;

  /** Schedules that this tick has put out of step, not yet stored. */
  private final Map<ScheduleId, ScheduleState> unsaved = new LinkedHashMap<>();

  States(ScheduleStore schedules, ProgressStore progress, Timetables tables) {
    this.schedules = schedules;
    this.progress = progress;
    this.tables = tables;
  }

  Map<ScheduleId, ScheduleState> unsaved() {
    return unsaved;
  }

  /** The state of a schedule, in step or not. */
  Optional<ScheduleState> load(ScheduleId id, Position position) {
    return load(id, position, true);
  }

  /**
   * @param mayHaveProgress false when the schedule is known to be in step, which saves a look
   */
  Optional<ScheduleState> load(ScheduleId id, Position position, boolean mayHaveProgress) {
    ScheduleState changed = unsaved.isEmpty() ? null : unsaved.get(id);
    if (changed != null) {
      return Optional.of(changed);
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

  private ScheduleState inStep(ScheduleId id, StoredSchedule stored, Position position) {
    Accepted accepted = stored.accepted();
    Instant decidedThrough =
        accepted.enabled()
            ? position.cursor(tables.of(id, accepted), id.utf8())
            : accepted.ownsAfter();
    return ScheduleState.of(id, accepted, decidedThrough, stored.completedAt());
  }
}
