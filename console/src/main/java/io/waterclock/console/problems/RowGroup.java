package io.waterclock.console.problems;

/** What schedules have in common that are one row of the list of problems. */
public interface RowGroup {
  /** A condition of lists that chooses the schedules. */
  String condition();
}
