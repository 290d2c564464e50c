package io.waterclock.occurrences.search;

/** The unit of an interval: a fixed length of time, or a step in the calendar. */
public enum IntervalUnit {
  MILLISECOND(1, 0, 0),
  SECOND(1000, 0, 0),
  MINUTE(60_000, 0, 0),
  HOUR(3_600_000, 0, 0),
  DAY(0, 1, 0),
  WEEK(0, 7, 0),
  MONTH(0, 0, 1),
  YEAR(0, 0, 12);

  private final int ms;
  private final int days;
  private final int months;

  IntervalUnit(int ms, int days, int months) {
    this.ms = ms;
    this.days = days;
    this.months = months;
  }

  /** Whether the unit is a fixed length of time; the others step in a zone's calendar. */
  public boolean isExact() {
    return ms > 0;
  }

  int ms() {
    return ms;
  }

  int days() {
    return days;
  }

  int months() {
    return months;
  }
}
