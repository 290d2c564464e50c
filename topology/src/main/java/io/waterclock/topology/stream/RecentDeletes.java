package io.waterclock.topology.stream;

import io.waterclock.schemas.ScheduleId;
import java.util.LinkedHashMap;
import java.util.Map;

/** The schedules that were deleted last, as many as are worth remembering. */
final class RecentDeletes {
  private static final int MAX = 10_000;

  private final Map<ScheduleId, Boolean> ids =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<ScheduleId, Boolean> eldest) {
          return size() > MAX;
        }
      };

  /**
   * @param deleted false when the schedule was defined again
   */
  void note(ScheduleId id, boolean deleted) {
    if (deleted) {
      ids.put(id, true);
    } else {
      ids.remove(id);
    }
  }

  boolean contains(ScheduleId id) {
    return ids.containsKey(id);
  }
}
