package io.waterclock.occurrences.search;

import io.waterclock.occurrences.core.Civil;

/** The FREQ of a recurrence rule: the unit of its interval, and how far its parts may expand. */
enum Frequency {
  SECONDLY("second", 1, 0),
  MINUTELY("minute", 60, 0),
  HOURLY("hour", 3600, 0),
  DAILY("day", 0, Civil.DAYS_PER_CYCLE),
  WEEKLY("week", 0, Civil.DAYS_PER_CYCLE / 7),
  MONTHLY("month", 0, 4800),
  YEARLY("year", 0, 400);

  private final String unit;
  private final int seconds;
  private final int perCycle;

  Frequency(String unit, int seconds, int perCycle) {
    this.unit = unit;
    this.seconds = seconds;
    this.perCycle = perCycle;
  }

  /** In words, such as "month". */
  String unit() {
    return unit;
  }

  /** Whether the period is an exact length of time; the others are read on the wall clock. */
  boolean isExact() {
    return seconds > 0;
  }

  /** The length of a period, for an exact one. */
  int seconds() {
    return seconds;
  }

  /** The number of periods in the 400 years after which the calendar repeats, for the others. */
  int perCycle() {
    return perCycle;
  }
}
