package io.waterclock.topology.scheduler.count;

/** An action of the watchdog. */
public enum WatchdogAction {
  /** A schedule got the queue entry that it asks for, instead of none or of another one. */
  ENTRY_MADE,

  /** A queue entry was removed: there is no such schedule, or it waits for nothing. */
  ENTRY_REMOVED,

  /** A schedule that is FAULTED was offered to the queue again. */
  SCHEDULE_RETRIED
}
