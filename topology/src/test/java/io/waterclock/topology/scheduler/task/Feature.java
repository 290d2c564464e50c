package io.waterclock.topology.scheduler.task;

/** What a random history may contain, beside definitions, edits and deletes. */
enum Feature {
  /** Definitions and deletes of clients whose partitioner is not Java's. */
  STRAYS,
  /** Commands of such clients. */
  STRAY_COMMANDS,
  /** Reports of such clients. */
  STRAY_REPORTS,
  /** Commands for schedules that do not exist. */
  UNKNOWN,
  /** Commands that pause and resume, and definitions that are not enabled. */
  PAUSES,
  /** Commands that fire at once. */
  TRIGGERS,
  /** Commands that leave out an occurrence. */
  SKIPS,
  /** Fires that wait for the end of the run before. */
  OVERLAP,
  /** Pauses after failed runs. */
  FAILURES,
  CALENDARS,
  /** An owner whose schedules are counted. */
  LIMITS,
  /** A definition that is put again. */
  AGAIN,
  /** {@code max_occurrences}. */
  COUNTED,
  /** Times in which the scheduler is up, but behind its input. */
  LAG,
  /** Timers that are defined again when they have fired. */
  TIMERS,
  /** Commands that fire a range again. */
  BACKFILLS,
  /** Definitions that are stored in parts while they wait. */
  LARGE,
  /** Outages in which the tasks keep their partitions. */
  STALLS,
  /** Records of the same millisecond. */
  TIES
}
