package io.waterclock.topology.scheduler.count;

/** What a tick works off, in this order. */
public enum Lane {
  /** Schedules whose next occurrence lies above the position. */
  LIVE,
  /** Schedules with single fires that commands have ordered. */
  MANUAL,
  /** Schedules behind the position. */
  CATCH_UP,
  /** Schedules with backfills that commands have ordered. */
  BACKFILL,
  /** Not worked off: schedules that wait for the end of a run with something due. */
  HELD
}
