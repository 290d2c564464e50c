package io.waterclock.occurrences.search;

import io.waterclock.occurrences.core.Civil;
import io.waterclock.occurrences.core.Horizon;

/**
 * When periods of an interval and the calendar come together again.
 *
 * @param regularFrom the second from which on everything repeats
 * @param seconds after how many it does
 */
record Cycle(long regularFrom, long seconds) {

  /** More than the horizon has; longer ones need not be distinguished. */
  private static final long MOST_CALENDARS = 40;

  /** On the wall clock, for an interval of periods of which 400 years have so many. */
  static Cycle ofPeriods(long interval, long perCalendar) {
    return new Cycle(Horizon.FIRST_SECOND, repeated(interval, perCalendar));
  }

  /** In time, for periods at a distance in seconds. */
  static Cycle ofSeconds(long step, ZoneTimeline zone) {
    return new Cycle(zone.start(zone.cycle()), repeated(step, Civil.SECONDS_PER_CYCLE));
  }

  /** The last second to be looked at by a search that has found nothing from a second on. */
  long end(long from) {
    return Math.max(from, regularFrom) + seconds;
  }

  private static long repeated(long interval, long perCalendar) {
    return Math.min(interval / gcd(interval, perCalendar), MOST_CALENDARS)
        * Civil.SECONDS_PER_CYCLE;
  }

  /** The greatest common divisor of two positive numbers. */
  static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
  }
}
