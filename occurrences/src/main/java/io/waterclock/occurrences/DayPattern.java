package io.waterclock.occurrences;

/**
 * Which days of a month match. All that cron can say about days depends only on how long a month is
 * and on which weekday it begins, so a pattern is a function of these two.
 */
@FunctionalInterface
interface DayPattern {

  DayPattern NONE = (length, firstWeekday) -> 0;

  /** {@code LW}: the last day from Monday to Friday. */
  DayPattern LAST_WORKDAY =
      (length, firstWeekday) -> 1 << nearestWorkday(length, length, firstWeekday);

  /**
   * The matching days as bits 1 to 31; bits beyond the length are ignored.
   *
   * @param firstWeekday of the month's first day; Sunday is 0
   */
  int days(int length, int firstWeekday);

  default DayPattern or(DayPattern other) {
    return (length, first) -> days(length, first) | other.days(length, first);
  }

  default DayPattern and(DayPattern other) {
    return (length, first) -> days(length, first) & other.days(length, first);
  }

  /** Days of the month as bits. */
  static DayPattern ofDays(long days) {
    return (length, firstWeekday) -> (int) days;
  }

  /** Days of the week as bits, Sunday being bit 0. */
  static DayPattern ofWeekdays(long weekdays) {
    return (length, firstWeekday) -> {
      int days = 0;
      for (int day = 1; day <= length; day++) {
        days |= (int) (weekdays >> weekday(day, firstWeekday) & 1) << day;
      }
      return days;
    };
  }

  /** {@code L-n}: so many days before the last. */
  static DayPattern beforeLast(int days) {
    return (length, firstWeekday) -> days < length ? 1 << (length - days) : 0;
  }

  /** {@code nW}: none in a month that is too short to have the day. */
  static DayPattern nearestWorkday(int day) {
    return (length, firstWeekday) ->
        day <= length ? 1 << nearestWorkday(day, length, firstWeekday) : 0;
  }

  /** {@code d#n}: the n-th such weekday, none in a month that has fewer. */
  static DayPattern nth(int weekday, int n) {
    return (length, firstWeekday) -> {
      int day = firstSuch(weekday, firstWeekday) + 7 * (n - 1);
      return day <= length ? 1 << day : 0;
    };
  }

  /** {@code dL}: the last such weekday. */
  static DayPattern last(int weekday) {
    return (length, firstWeekday) -> {
      int first = firstSuch(weekday, firstWeekday);
      return 1 << (first + (length - first) / 7 * 7);
    };
  }

  /** The nearest day from Monday to Friday in the same month (the rule of Quartz). */
  private static int nearestWorkday(int day, int length, int firstWeekday) {
    return switch (weekday(day, firstWeekday)) {
      case 0 -> day < length ? day + 1 : day - 2;
      case 6 -> day > 1 ? day - 1 : day + 2;
      default -> day;
    };
  }

  private static int weekday(int day, int firstWeekday) {
    return (firstWeekday + day - 1) % 7;
  }

  private static int firstSuch(int weekday, int firstWeekday) {
    return 1 + (weekday - firstWeekday + 7) % 7;
  }
}
