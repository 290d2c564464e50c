package io.waterclock.occurrences;

/**
 * The proleptic Gregorian calendar on plain integers.
 *
 * <p>Idea: begin the year in March, so that the leap day is its last and the lengths of the months
 * before it follow the line {@code (153 * m + 2) / 5}. A cycle of 400 years has 146,097 days, a
 * multiple of seven: everything in the calendar repeats after it, weekdays included.
 *
 * <p>Cost: a few multiplications, no tables, no objects. A date travels as one int, {@code month
 * number * 32 + day}, the month number being {@code year * 12 + month - 1}. Example: epoch day
 * 11,016 (2000-02-29) is day 29 of month number 24,001.
 *
 * <p>Source: the arithmetic is Howard Hinnant's, "chrono-Compatible Low-Level Date Algorithms".
 */
final class Civil {

  static final int DAYS_PER_CYCLE = 146_097;
  static final long SECONDS_PER_DAY = 86_400;
  static final long SECONDS_PER_CYCLE = DAYS_PER_CYCLE * SECONDS_PER_DAY;
  private static final int DAYS_TO_EPOCH = 719_468; // from 0000-03-01 to 1970-01-01

  private Civil() {}

  /** The date of an epoch day, packed as {@code monthNumber * 32 + day}. */
  static int date(int epochDay) {
    int shifted = epochDay + DAYS_TO_EPOCH;
    int cycle = Math.floorDiv(shifted, DAYS_PER_CYCLE);
    int dayOfCycle = shifted - cycle * DAYS_PER_CYCLE;
    int year = (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365;
    int dayOfYear = dayOfCycle - (365 * year + year / 4 - year / 100);
    int marchMonth = (5 * dayOfYear + 2) / 153;
    int day = dayOfYear - (153 * marchMonth + 2) / 5 + 1;
    return ((cycle * 400 + year) * 12 + marchMonth + 2) * 32 + day;
  }

  static int monthNumber(int date) {
    return date >> 5;
  }

  static int day(int date) {
    return date & 31;
  }

  static int year(int monthNumber) {
    return Math.floorDiv(monthNumber, 12);
  }

  /** January is 1. */
  static int month(int monthNumber) {
    return Math.floorMod(monthNumber, 12) + 1;
  }

  /** The epoch day of the first of a month. */
  static int firstDay(int monthNumber) {
    int fromMarch = monthNumber - 2;
    int year = Math.floorDiv(fromMarch, 12);
    int marchMonth = fromMarch - year * 12;
    int cycle = Math.floorDiv(year, 400);
    int yearOfCycle = year - cycle * 400;
    int dayOfCycle =
        yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + (153 * marchMonth + 2) / 5;
    return cycle * DAYS_PER_CYCLE + dayOfCycle - DAYS_TO_EPOCH;
  }

  static int length(int monthNumber) {
    int month = month(monthNumber);
    if (month == 2) {
      return isLeap(year(monthNumber)) ? 29 : 28;
    }
    return 30 + ((month + (month >> 3)) & 1);
  }

  /** Sunday is 0. */
  static int dayOfWeek(int epochDay) {
    return Math.floorMod(epochDay + 4, 7);
  }

  private static boolean isLeap(int year) {
    return (year & 3) == 0 && (year % 100 != 0 || year % 400 == 0);
  }
}
