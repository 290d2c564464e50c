package io.waterclock.occurrences.search;

/** What a rule says about the days of a year. */
@FunctionalInterface
interface YearDayRule {

  /**
   * Whether a day matches.
   *
   * @param day of the year, from 0
   */
  boolean matches(YearKind year, int day);

  default YearDayRule and(YearDayRule other) {
    return (year, day) -> matches(year, day) && other.matches(year, day);
  }
}
