package io.waterclock.topology.scheduler.apply;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.model.CommandState;
import io.waterclock.topology.scheduler.model.ScheduleState;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The schedules of a task with waiting fires of commands. In memory only; filled together with the
 * queue.
 */
public final class CommandedLanes {
  private final Set<ScheduleId> manual = new LinkedHashSet<>();
  private final Set<ScheduleId> backfills = new LinkedHashSet<>();

  /** Updates a schedule from its state; a schedule that is new to a lane goes to its end. */
  void note(ScheduleState state) {
    CommandState commanded = state.commanded();
    note(manual, state.id(), !commanded.fires().isEmpty());
    note(backfills, state.id(), !commanded.backfills().isEmpty());
  }

  public boolean isEmpty() {
    return manual.isEmpty() && backfills.isEmpty();
  }

  void remove(ScheduleId id) {
    manual.remove(id);
    backfills.remove(id);
  }

  /** Removes and returns the next schedule of the lane of single fires. */
  public Optional<ScheduleId> takeManual() {
    return take(manual);
  }

  /** Removes and returns the next schedule of the lane of backfills. */
  public Optional<ScheduleId> takeBackfill() {
    return take(backfills);
  }

  /** How many schedules wait for single fires. */
  public int manualSize() {
    return manual.size();
  }

  /** How many schedules have running backfills. */
  public int backfillsSize() {
    return backfills.size();
  }

  private static void note(Set<ScheduleId> lane, ScheduleId id, boolean belongs) {
    if (belongs) {
      lane.add(id);
    } else {
      lane.remove(id);
    }
  }

  private static Optional<ScheduleId> take(Set<ScheduleId> lane) {
    Iterator<ScheduleId> ids = lane.iterator();
    if (!ids.hasNext()) {
      return Optional.empty();
    }
    ScheduleId first = ids.next();
    ids.remove();
    return Optional.of(first);
  }
}
