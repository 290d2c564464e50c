package io.waterclock.topology.scheduler.apply;

import io.waterclock.schemas.ScheduleId;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The schedules of a task with a due occurrence that waits, undecided, for the end of a run. In
 * memory only; filled together with the queue.
 */
public final class AwaitingRunEnd {
  private final Map<ScheduleId, Instant> since = new HashMap<>();

  /**
   * Updates a schedule from its state.
   *
   * @param heldSince when the waiting occurrence was due; empty when the schedule waits for no run
   */
  void note(ScheduleId id, Optional<Instant> heldSince) {
    if (heldSince.isPresent()) {
      since.put(id, heldSince.get());
    } else {
      remove(id);
    }
  }

  void remove(ScheduleId id) {
    if (!since.isEmpty()) {
      since.remove(id);
    }
  }

  public int size() {
    return since.size();
  }

  /** The due instant of the longest-waiting schedule. Costs a look at each. */
  public Optional<Instant> earliest() {
    return since.isEmpty() ? Optional.empty() : Optional.of(Collections.min(since.values()));
  }
}
