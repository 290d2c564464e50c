package io.waterclock.occurrences;

/**
 * The values of a day-of-month field. Each set of days is a bit set; bit 1 is the first of the
 * month.
 *
 * @param days plain days
 * @param beforeLast {@code L} (bit 0) and {@code L-n} (bit n)
 * @param nearestWorkdays {@code nW}: the nearest day from Monday to Friday in the same month (the
 *     rule of Quartz); none in a month that is too short to have the day
 * @param workdaysBeforeLast {@code LW} (bit 0) and {@code L-nW} (bit n): the day from Monday to
 *     Friday of the same month that is nearest to {@code L-n}
 */
record DaysOfMonth(int days, int beforeLast, int nearestWorkdays, int workdaysBeforeLast) {

  static final DaysOfMonth NONE = new DaysOfMonth(0, 0, 0, 0);

  static DaysOfMonth of(long days) {
    return new DaysOfMonth((int) days, 0, 0, 0);
  }

  static DaysOfMonth beforeLast(int days) {
    return new DaysOfMonth(0, 1 << days, 0, 0);
  }

  static DaysOfMonth nearestWorkday(int day) {
    return new DaysOfMonth(0, 0, 1 << day, 0);
  }

  static DaysOfMonth workdayBeforeLast(int days) {
    return new DaysOfMonth(0, 0, 0, 1 << days);
  }

  DaysOfMonth or(DaysOfMonth other) {
    return new DaysOfMonth(
        days | other.days,
        beforeLast | other.beforeLast,
        nearestWorkdays | other.nearestWorkdays,
        workdaysBeforeLast | other.workdaysBeforeLast);
  }

  /**
   * The matching days as bits; those beyond the month's length mean nothing.
   *
   * @param firstWeekday of the month's first day; Sunday is 0
   */
  int in(int length, int firstWeekday) {
    int found = days;
    for (int day = 1; day <= length; day++) {
      if ((beforeLast >>> (length - day) & 1) != 0) {
        found |= 1 << day;
      }
      if ((nearestWorkdays >>> day & 1) != 0 || (workdaysBeforeLast >>> (length - day) & 1) != 0) {
        found |= 1 << nearestWorkday(day, length, firstWeekday);
      }
    }
    return found;
  }

  private static int nearestWorkday(int day, int length, int firstWeekday) {
    return switch ((firstWeekday + day - 1) % 7) {
      case 0 -> day < length ? day + 1 : day - 2;
      case 6 -> day > 1 ? day - 1 : day + 2;
      default -> day;
    };
  }
}
