package io.waterclock.occurrences;

import io.waterclock.occurrences.core.Civil;
import io.waterclock.occurrences.core.Days;

/**
 * The days on which an expression occurs.
 *
 * <p>Idea: a month is one of 28 kinds (four lengths, seven weekdays to begin with), so the matching
 * days of each kind are computed once, as bits. A search clears the bits before a day and takes the
 * lowest remaining one, from one named month to the next. The table contains every kind of month,
 * so it also shows whether an expression has a matching day at all.
 *
 * <p>Cost: one date conversion and one look-up a month; the longest distance between two matches is
 * forty years (29 February on a given weekday, across 2100).
 *
 * <p>Example: {@code 31 * *} asked on 1 April: the table holds nothing for a month of 30 days,
 * May's entry has bit 31.
 */
final class DayCalendar implements Days {

  private static final int ALL_MONTHS = 0x1ffe;
  private static final int ALL_DAYS = -2;

  private final int[] daysByKind = new int[28];
  private final int months;
  private final boolean everyDay;

  /**
   * @param both whether a day has to match both fields, or either (the rule of Vixie cron)
   */
  DayCalendar(long months, DaysOfMonth ofMonth, DaysOfWeek ofWeek, boolean both) {
    this.months = (int) months;
    boolean all = this.months == ALL_MONTHS;
    for (int length = 28; length <= 31; length++) {
      for (int firstWeekday = 0; firstWeekday < 7; firstWeekday++) {
        int inMonth = ALL_DAYS & (-1 >>> (31 - length));
        int byDate = ofMonth.in(length, firstWeekday);
        int byWeekday = ofWeek.in(length, firstWeekday);
        int days = (both ? byDate & byWeekday : byDate | byWeekday) & inMonth;
        daysByKind[kind(length, firstWeekday)] = days;
        all &= days == inMonth;
      }
    }
    this.everyDay = all;
  }

  /** Whether no day of any year matches. */
  boolean isEmpty() {
    for (int month = 1; month <= 12; month++) {
      int longest = Civil.length(2000, month);
      int shortest = month == 2 ? 28 : longest;
      for (int kind = kind(shortest, 0); kind <= kind(longest, 6); kind++) {
        if ((months >> month & 1) != 0 && daysByKind[kind] != 0) {
          return false;
        }
      }
    }
    return true;
  }

  @Override
  public int next(int epochDay) {
    if (everyDay) {
      return epochDay;
    }
    int date = Civil.date(epochDay);
    int year = Civil.year(date);
    int month = Civil.month(date);
    int firstDay = epochDay - Civil.day(date) + 1;
    int days = days(year, month, firstDay) & (-1 << Civil.day(date));
    while (days == 0) {
      int later = months & (-2 << month);
      year += later == 0 ? 1 : 0;
      month = Integer.numberOfTrailingZeros(later == 0 ? months : later);
      firstDay = Civil.firstDay(year, month);
      days = days(year, month, firstDay);
    }
    return firstDay - 1 + Integer.numberOfTrailingZeros(days);
  }

  @Override
  public int previous(int epochDay) {
    if (everyDay) {
      return epochDay;
    }
    int date = Civil.date(epochDay);
    int year = Civil.year(date);
    int month = Civil.month(date);
    int firstDay = epochDay - Civil.day(date) + 1;
    int days = days(year, month, firstDay) & ~(-2 << Civil.day(date));
    while (days == 0) {
      int earlier = months & ~(-1 << month);
      year -= earlier == 0 ? 1 : 0;
      month = 31 - Integer.numberOfLeadingZeros(earlier == 0 ? months : earlier);
      firstDay = Civil.firstDay(year, month);
      days = days(year, month, firstDay);
    }
    return firstDay - 1 + 31 - Integer.numberOfLeadingZeros(days);
  }

  @Override
  public int count(int from, int to) {
    if (everyDay) {
      return to - from;
    }
    int date = Civil.date(from);
    int year = Civil.year(date);
    int month = Civil.month(date);
    int firstDay = from - Civil.day(date) + 1;
    int count = -before(Civil.day(date), days(year, month, firstDay));
    int nextMonth = firstDay + Civil.length(year, month);
    while (nextMonth <= to) {
      count += Integer.bitCount(days(year, month, firstDay));
      firstDay = nextMonth;
      year += month / 12;
      month = month % 12 + 1;
      nextMonth += Civil.length(year, month);
    }
    return count + before(to - firstDay + 1, days(year, month, firstDay));
  }

  private static int before(int day, int days) {
    return Integer.bitCount(days & ~(-1 << day));
  }

  private int days(int year, int month, int firstDay) {
    return (months >> month & 1) == 0
        ? 0
        : daysByKind[kind(Civil.length(year, month), Civil.dayOfWeek(firstDay))];
  }

  private static int kind(int length, int firstWeekday) {
    return (length - 28) * 7 + firstWeekday;
  }
}
