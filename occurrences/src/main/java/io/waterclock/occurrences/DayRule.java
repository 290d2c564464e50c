package io.waterclock.occurrences;

/**
 * Which days of a month match. In cron, matching days depend only on the length of the month and
 * its first weekday.
 *
 * @param both whether a day has to match both fields, or either (the rule of Vixie cron)
 */
record DayRule(DaysOfMonth ofMonth, DaysOfWeek ofWeek, boolean both) {

  /**
   * The matching days as bits, bit 1 being the first; those beyond the length mean nothing.
   *
   * @param firstWeekday of the month's first day; Sunday is 0
   */
  int in(int length, int firstWeekday) {
    int byDate = ofMonth.in(length, firstWeekday);
    int byWeekday = ofWeek.in(length, firstWeekday);
    return both ? byDate & byWeekday : byDate | byWeekday;
  }
}
