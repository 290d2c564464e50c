package io.waterclock.occurrences;

/**
 * Which days of a month match. All that cron can say about days depends only on how long a month is
 * and on which weekday it begins.
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
