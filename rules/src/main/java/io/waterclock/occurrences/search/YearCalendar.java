package io.waterclock.occurrences.search;

import io.waterclock.occurrences.core.Civil;
import io.waterclock.occurrences.core.Days;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The days that a rule names, laid out by the kinds of year there are.
 *
 * <p>Idea: whether a day matches a rule, also by the number of its week, depends only on the {@link
 * YearKind} and the day of the year. So the matching days of a kind are computed once, as 366 bits,
 * when a search reaches the first year of that kind.
 *
 * <p>Cost: a date conversion and a few words of bits; a year without a matching day costs a step,
 * and 400 of them end a search. Laying out a kind takes a few microseconds. Thread-safe: two
 * threads that compute the same kind get the same bits.
 */
final class YearCalendar implements Days {

  /** What a rule says about the days of a year. */
  @FunctionalInterface
  interface Rule {
    /**
     * Whether a day matches.
     *
     * @param day of the year, from 0
     */
    boolean matches(YearKind year, int day);

    default Rule and(Rule other) {
      return (year, day) -> matches(year, day) && other.matches(year, day);
    }
  }

  private static final int WORDS = 6;
  private static final int YEARS_PER_CYCLE = 400;

  /** Further from any day than calendars reach. */
  private static final int FAR = 1_000_000_000;

  private final Rule rule;
  private final AtomicReferenceArray<long[]> daysByKind =
      new AtomicReferenceArray<>(YearKind.COUNT);

  YearCalendar(Rule rule) {
    this.rule = rule;
  }

  /** The first matching day from this one on; a day far beyond the horizon where none ever is. */
  @Override
  public int next(int epochDay) {
    int year = Civil.year(Civil.date(epochDay));
    int firstDay = Civil.firstDay(year, 1);
    int found = nextInYear(days(year), epochDay - firstDay);
    int last = year + YEARS_PER_CYCLE;
    while (found < 0) {
      if (year++ == last) {
        return FAR;
      }
      firstDay = Civil.firstDay(year, 1);
      found = nextInYear(days(year), 0);
    }
    return firstDay + found;
  }

  /** The last matching day up to this one; a day far before the horizon where none ever is. */
  @Override
  public int previous(int epochDay) {
    int year = Civil.year(Civil.date(epochDay));
    int firstDay = Civil.firstDay(year, 1);
    int found = previousInYear(days(year), epochDay - firstDay);
    int first = year - YEARS_PER_CYCLE;
    while (found < 0) {
      if (year-- == first) {
        return -FAR;
      }
      firstDay = Civil.firstDay(year, 1);
      found = previousInYear(days(year), 365);
    }
    return firstDay + found;
  }

  @Override
  public int count(int from, int to) {
    int year = Civil.year(Civil.date(from));
    int count = -before(days(year), from - Civil.firstDay(year, 1));
    int nextYear = Civil.firstDay(year + 1, 1);
    while (nextYear <= to) {
      count += before(days(year), 366);
      year++;
      nextYear = Civil.firstDay(year + 1, 1);
    }
    return count + before(days(year), to - Civil.firstDay(year, 1));
  }

  private long[] days(int year) {
    int kind = YearKind.index(year);
    long[] days = daysByKind.getAcquire(kind);
    if (days == null) {
      days = layOut(YearKind.of(kind));
      daysByKind.setRelease(kind, days);
    }
    return days;
  }

  private long[] layOut(YearKind year) {
    long[] days = new long[WORDS];
    for (int day = 0; day < year.length(); day++) {
      if (rule.matches(year, day)) {
        days[day >> 6] |= 1L << day;
      }
    }
    return days;
  }

  private static int nextInYear(long[] days, int from) {
    int word = from >> 6;
    long bits = days[word] & (-1L << from);
    while (bits == 0) {
      if (++word == WORDS) {
        return -1;
      }
      bits = days[word];
    }
    return (word << 6) + Long.numberOfTrailingZeros(bits);
  }

  private static int previousInYear(long[] days, int upTo) {
    int word = upTo >> 6;
    long bits = days[word] & (-1L >>> (63 - (upTo & 63)));
    while (bits == 0) {
      if (--word < 0) {
        return -1;
      }
      bits = days[word];
    }
    return (word << 6) + 63 - Long.numberOfLeadingZeros(bits);
  }

  /** The number of matching days of a year before one of its days. */
  private static int before(long[] days, int day) {
    int count = 0;
    for (int word = 0; word < day >> 6; word++) {
      count += Long.bitCount(days[word]);
    }
    return count + Long.bitCount(days[day >> 6] & ~(-1L << day));
  }
}
