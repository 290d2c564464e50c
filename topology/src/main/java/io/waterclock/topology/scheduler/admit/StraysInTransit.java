package io.waterclock.topology.scheduler.admit;

import io.waterclock.schemas.ScheduleId;
import java.util.HashMap;
import java.util.Map;

/**
 * Strays that this task has written to its partition and not read there yet. In memory: what a task
 * before it has written is in the partition when this one is assigned, or was never committed.
 */
final class StraysInTransit {
  private final Map<String, ScheduleId> byPlace = new HashMap<>();
  private final Map<ScheduleId, Integer> counts = new HashMap<>();
  private boolean settled;

  /**
   * @param place where the stray was produced
   */
  void left(ScheduleId id, String place) {
    if (byPlace.put(place, id) == null) {
      counts.merge(id, 1, Integer::sum);
    }
  }

  /**
   * A stray was read at home, whatever became of it; one that this task did not send counts not,
   * nor does one that names another's place.
   *
   * @param id its key
   */
  void arrived(String id, String place) {
    ScheduleId left = byPlace.get(place);
    if (left != null && left.value().equals(id)) {
      byPlace.remove(place);
      counts.computeIfPresent(left, (key, count) -> count == 1 ? null : count - 1);
    }
  }

  /** True while a stray of this schedule is under way. */
  boolean contains(ScheduleId id) {
    return !counts.isEmpty() && counts.containsKey(id);
  }

  /** True once all that were under way when this was first asked are home; stays true. */
  boolean isSettled() {
    settled = settled || counts.isEmpty();
    return settled;
  }
}
