package io.waterclock.topology.scheduler.count;

/** The lanes of work that a tick processes, in this order. */
public enum Lane {
  /** Schedules whose next occurrence lies above the position. */
  LIVE,
  /** Schedules with single fires from commands. */
  MANUAL,
  /** Schedules behind the position. */
  CATCH_UP,
  /** Schedules with backfills from commands. */
  BACKFILL,
  /** Not processed: schedules with a due occurrence that waits for the end of a run. */
  HELD
}
