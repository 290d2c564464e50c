package io.waterclock.topology.scheduler.task;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.store.DueQueue;
import java.util.List;

/**
 * Finds queue entries without a schedule. A pass over the schedules never reads them: it calls the
 * entry of each schedule that it reads, and an entry that was not called by the end of the pass is
 * suspect.
 *
 * <p>Cost: a look-up in memory for each schedule, then a pass over the queue's slots.
 */
final class OrphanSearch {
  /** About a millisecond's worth. */
  private static final int SLOTS = 65_536;

  private final DueQueue queue;
  private int left;
  private int slots;

  OrphanSearch(DueQueue queue) {
    this.queue = queue;
  }

  /** Begins a new search. */
  void begin() {
    queue.beginRollCall();
    slots = 0;
  }

  /** Notes that the schedule exists. */
  void seen(ScheduleId id) {
    queue.call(id.utf8());
  }

  /** The suspects of the next slots. */
  List<ScheduleId> next() {
    if (slots != queue.slots()) {
      slots = queue.slots();
      left = slots;
    }
    int to = left;
    left = Math.max(0, left - SLOTS);
    return queue.takeUncalled(left, to).stream().map(ScheduleId::ofUtf8).toList();
  }

  /** True when every slot was checked. */
  boolean isDone() {
    return left == 0 && slots == queue.slots();
  }
}
