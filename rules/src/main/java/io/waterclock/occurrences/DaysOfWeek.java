package io.waterclock.occurrences;

/**
 * The values of a day-of-week field. Each set of weekdays is a bit set; bit 0 is Sunday.
 *
 * @param weekdays plain weekdays
 * @param last {@code dL}: the last such weekday of the month
 * @param nth {@code d#n}: seven bits for each n from 1, the first ones being those of n = 1; none
 *     in a month that has fewer
 */
record DaysOfWeek(int weekdays, int last, long nth) {

  static final DaysOfWeek NONE = new DaysOfWeek(0, 0, 0);

  static DaysOfWeek of(long weekdays) {
    return new DaysOfWeek((int) weekdays, 0, 0);
  }

  static DaysOfWeek last(int weekday) {
    return new DaysOfWeek(0, 1 << weekday, 0);
  }

  static DaysOfWeek nth(int weekday, int n) {
    return new DaysOfWeek(0, 0, 1L << (7 * (n - 1) + weekday));
  }

  DaysOfWeek or(DaysOfWeek other) {
    return new DaysOfWeek(weekdays | other.weekdays, last | other.last, nth | other.nth);
  }

  /**
   * The matching days of a month as bits, bit 1 being the first.
   *
   * @param firstWeekday of the month's first day; Sunday is 0
   */
  int in(int length, int firstWeekday) {
    int found = 0;
    for (int day = 1; day <= length; day++) {
      int weekday = (firstWeekday + day - 1) % 7;
      boolean isLast = day + 7 > length;
      int earlierWeeks = (day - 1) / 7;
      long matching = weekdays | (nth >>> (7 * earlierWeeks)) | (isLast ? last : 0);
      found |= (int) (matching >>> weekday & 1) << day;
    }
    return found;
  }
}
