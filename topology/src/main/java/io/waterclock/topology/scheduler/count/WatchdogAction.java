package io.waterclock.topology.scheduler.count;

public enum WatchdogAction {
  /** A schedule got its queue entry, which was missing. */
  ENTRY_CREATED,

  /** A schedule was queued again, because its queue entry was for another occurrence or lane. */
  ENTRY_REQUEUED,

  /** A queue entry was removed: its schedule does not exist, or waits for no occurrence. */
  ENTRY_REMOVED,

  /** A FAULTED schedule was queued again. */
  SCHEDULE_RETRIED
}
