package io.waterclock.topology.scheduler.admit;

import io.waterclock.schemas.ScheduleId;
import java.util.HashMap;
import java.util.Map;

/**
 * Strays that this task has written to its partition and not read there yet. In memory only: the
 * strays of an earlier task are in the partition when this task is assigned, or were never
 * committed.
 */
final class StraysInTransit {
  private final Map<String, ScheduleId> byPlace = new HashMap<>();
  private final Map<ScheduleId, Integer> counts = new HashMap<>();

  /**
   * @param place where the stray was produced
   */
  void sent(ScheduleId id, String place) {
    if (byPlace.put(place, id) == null) {
      counts.merge(id, 1, Integer::sum);
    }
  }

  /**
   * Notes that a stray was read at home, accepted or not. Ignores a stray that this task did not
   * send, and one with the place of another schedule's stray.
   *
   * @param id its key
   * @return true for a stray that this task sent
   */
  boolean arrived(String id, String place) {
    ScheduleId sent = byPlace.get(place);
    if (sent == null || !sent.value().equals(id)) {
      return false;
    }
    byPlace.remove(place);
    counts.computeIfPresent(sent, (key, count) -> count == 1 ? null : count - 1);
    return true;
  }

  /** True while a stray of this schedule is in transit. */
  boolean contains(ScheduleId id) {
    return !counts.isEmpty() && counts.containsKey(id);
  }

  boolean isEmpty() {
    return counts.isEmpty();
  }
}
