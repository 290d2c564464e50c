package io.waterclock.topology.scheduler.task;

/** What a random history may contain, beside definitions, edits and deletes. */
enum Feature {
  /** Clients whose partitioner is not Java's. */
  STRAYS,
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
  /** Timers that are defined again when they have fired. */
  TIMERS
}
