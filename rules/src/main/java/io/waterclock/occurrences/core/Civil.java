package io.waterclock.occurrences.core;

/**
 * The proleptic Gregorian calendar on plain integers.
 *
 * <p>Idea: begin the year in March, so that the leap day is its last and the lengths of the months
 * before it follow the line {@code (153 * m + 2) / 5}. A cycle of 400 years has 146,097 days, a
 * multiple of seven: everything in the calendar repeats after it, weekdays included.
 *
 * <p>Cost: a few multiplications, no tables, no objects. A date travels as one int, {@code year *
 * 512 + month * 32 + day}, January being 1. Example: epoch day 11,016 is 2000-02-29, 2000 * 512 + 2
 * * 32 + 29.
 *
 * <p>Source: the arithmetic is Howard Hinnant's, "chrono-Compatible Low-Level Date Algorithms".
 */
public final class Civil {

  public static final int DAYS_PER_CYCLE = 146_097;
  public static final long SECONDS_PER_DAY = 86_400;
  public static final long SECONDS_PER_CYCLE = DAYS_PER_CYCLE * SECONDS_PER_DAY;
  private static final int DAYS_TO_EPOCH = 719_468; // from 0000-03-01 to 1970-01-01

  private Civil() {}

  /** The date of an epoch day, packed as year, month and day. */
  public static int date(int epochDay) {
    int shifted = epochDay + DAYS_TO_EPOCH;
    int cycle = Math.floorDiv(shifted, DAYS_PER_CYCLE);
    int dayOfCycle = shifted - cycle * DAYS_PER_CYCLE;
    int year = (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365;
    int dayOfYear = dayOfCycle - (365 * year + year / 4 - year / 100);
    int marchMonth = (5 * dayOfYear + 2) / 153;
    int day = dayOfYear - (153 * marchMonth + 2) / 5 + 1;
    int nextYear = marchMonth >= 10 ? 1 : 0;
    int month = marchMonth + 3 - 12 * nextYear;
    return (cycle * 400 + year + nextYear) * 512 + month * 32 + day;
  }

  public static int year(int date) {
    return date >> 9;
  }

  /** January is 1. */
  public static int month(int date) {
    return date >> 5 & 15;
  }

  public static int day(int date) {
    return date & 31;
  }

  /** The epoch day of the first of a month. */
  public static int firstDay(int year, int month) {
    int marchYear = month > 2 ? year : year - 1;
    int marchMonth = month > 2 ? month - 3 : month + 9;
    int cycle = Math.floorDiv(marchYear, 400);
    int yearOfCycle = marchYear - cycle * 400;
    int dayOfCycle =
        yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + (153 * marchMonth + 2) / 5;
    return cycle * DAYS_PER_CYCLE + dayOfCycle - DAYS_TO_EPOCH;
  }

  /** The number of days of a month. */
  public static int length(int year, int month) {
    if (month == 2) {
      return isLeap(year) ? 29 : 28;
    }
    return 30 + ((month + (month >> 3)) & 1);
  }

  /** Sunday is 0. */
  public static int dayOfWeek(int epochDay) {
    return Math.floorMod(epochDay + 4, 7);
  }

  public static boolean isLeap(int year) {
    return (year & 3) == 0 && ((year & 15) == 0 || year % 25 != 0);
  }
}
