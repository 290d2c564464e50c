package io.waterclock.occurrences.core;

/** How a trigger follows the wall clock when clocks change. */
public enum ClockRule {
  /** At exact distances, independent of the wall clock. */
  EXACT,
  /** Whenever the clock shows a match. */
  SHOWN,
  /** Once for each match: at the end of a gap, at the first pass of an overlap. */
  FIXED;

  /**
   * The longest gap in seconds, inclusive, at whose end skipped fixed times occur (the rule of
   * Vixie cron).
   */
  public static final int LONGEST_GAP = 3 * 3600;
}
