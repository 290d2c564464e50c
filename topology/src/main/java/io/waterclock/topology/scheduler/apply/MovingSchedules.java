package io.waterclock.topology.scheduler.apply;

import io.waterclock.decide.model.ScheduleState;
import io.waterclock.definition.Exclusions;
import io.waterclock.schemas.ScheduleId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The schedules of a task whose due instants change with calendars: those that move excluded
 * occurrences. A left-out occurrence is left out at its own instant, which no calendar changes.
 */
public final class MovingSchedules {
  private final Set<ScheduleId> ids = new HashSet<>();

  /** Updates a new or changed schedule. */
  public void note(ScheduleState state) {
    if (Exclusions.moves(state.current().schedule())
        || state.older().stream()
            .anyMatch(older -> Exclusions.moves(older.accepted().schedule()))) {
      ids.add(state.id());
    } else if (!ids.isEmpty()) {
      ids.remove(state.id());
    }
  }

  boolean contains(ScheduleId id) {
    return ids.contains(id);
  }

  boolean contains(byte[] id) {
    return !ids.isEmpty() && ids.contains(ScheduleId.ofUtf8(id));
  }

  void forget(ScheduleId id) {
    ids.remove(id);
  }

  /** A copy. */
  public List<ScheduleId> ids() {
    return List.copyOf(ids);
  }
}
