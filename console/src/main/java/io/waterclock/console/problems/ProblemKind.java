package io.waterclock.console.problems;

/** Why a schedule needs a person, the gravest first. */
public enum ProblemKind {
  /** The scheduler cannot decide it. */
  FAULTED,

  /** No definition of it was ever accepted. */
  REJECTED,

  /** An older definition is in force than the newest one. */
  EDIT_REJECTED,

  /** Its fires fail, time after time. */
  FAILING,

  /** Its runs are later than its definition expects. */
  OVERDUE,

  /** A fire of it waits for its limit, although it has occurred again. */
  WAITING,

  /** It is active, but everything that its trigger names is left out. */
  NEVER_FIRES,

  /** Its limit does not exist, so nothing bounds its fires. */
  UNKNOWN_LIMIT,

  PAUSED,

  /** Its time zone differs from that of nearly all others of its owner. */
  ODD_ZONE
}
