package io.waterclock.topology.scheduler.apply;

import io.waterclock.schemas.ScheduleId;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The schedules of a task that wait for the end of a run with something due, which is undecided
 * until then. In memory only, filled as the queue is.
 */
public final class AwaitingRunEnd {
  private final Map<ScheduleId, Instant> since = new HashMap<>();

  /**
   * Takes over what a state says.
   *
   * @param heldSince since when something is due; empty when the schedule waits for no run
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

  /** Since when the first of them waits. Costs a look at each. */
  public Optional<Instant> earliest() {
    return since.isEmpty() ? Optional.empty() : Optional.of(Collections.min(since.values()));
  }
}
