package io.waterclock.occurrences.search;

import io.waterclock.occurrences.core.Civil;
import java.util.stream.IntStream;

/**
 * The properties of a year that determine its days: its length, its first weekday, and the lengths
 * of its neighbours, on which the numbers of weeks depend. There are 28 kinds, as at most one of
 * three years in a row is a leap year. Days of the year count from 0.
 */
record YearKind(
    int firstWeekday, int length, int lengthBefore, int lengthAfter, int firstEpochDay) {

  static final int COUNT = 28;
  private static final YearKind[] KINDS =
      IntStream.range(0, COUNT).mapToObj(YearKind::layOut).toArray(YearKind[]::new);

  private static YearKind layOut(int index) {
    int leap = index / 7;
    return new YearKind(
        index % 7,
        leap == 1 ? 366 : 365,
        leap == 2 ? 366 : 365,
        leap == 3 ? 366 : 365,
        Civil.firstDay(leap == 1 ? 2000 : 2001, 1));
  }

  /** The kind of a year, from 0 to 27. */
  static int index(int year) {
    int leap = Civil.isLeap(year) ? 1 : Civil.isLeap(year - 1) ? 2 : Civil.isLeap(year + 1) ? 3 : 0;
    return leap * 7 + Civil.dayOfWeek(Civil.firstDay(year, 1));
  }

  static YearKind of(int index) {
    return KINDS[index];
  }

  /** Year, month and day as {@link Civil} packs them; only the year is not this one. */
  int date(int day) {
    return Civil.date(firstEpochDay + day);
  }

  /** Sunday is 0. */
  int weekday(int day) {
    return (firstWeekday + day) % 7;
  }

  /** The number of the week in which a day lies, in the year to which most of that week belongs. */
  int week(int day, int weekStart) {
    int start = startOfWeek(day, weekStart);
    if (start < -3) {
      return weeks(firstWeekday - lengthBefore, lengthBefore, weekStart);
    }
    return start > length - 4 ? 1 : (start - firstWeek(firstWeekday, weekStart)) / 7 + 1;
  }

  /** The same week counted from the end of its year, whose last week is -1. */
  int weekFromEnd(int day, int weekStart) {
    int start = startOfWeek(day, weekStart);
    if (start < -3) {
      return -1;
    }
    int weeks =
        start > length - 4
            ? weeks(firstWeekday + length, lengthAfter, weekStart)
            : weeks(firstWeekday, length, weekStart);
    return week(day, weekStart) - weeks - 1;
  }

  private int startOfWeek(int day, int weekStart) {
    return day - Math.floorMod(weekday(day) - weekStart, 7);
  }

  private static int weeks(int firstWeekday, int length, int weekStart) {
    return (length - 4 - firstWeek(firstWeekday, weekStart)) / 7 + 1;
  }

  /** The day on which week 1 begins, the first week with at least four days in the year. */
  private static int firstWeek(int firstWeekday, int weekStart) {
    return Math.floorMod(weekStart - firstWeekday + 3, 7) - 3;
  }
}
