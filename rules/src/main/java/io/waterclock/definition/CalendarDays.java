package io.waterclock.definition;

import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.DateRange;
import io.waterclock.schemas.avro.Weekday;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The days of one version of a calendar, as epoch days.
 *
 * <p>Idea: the ranges are sorted, and overlapping or adjacent ranges are merged. So a binary search
 * finds a day, and the next change after any day is the end or the start of one range. Weekdays are
 * a set of seven bits. Immutable and thread-safe.
 */
final class CalendarDays {
  /** The days of a deleted calendar: none. */
  static final CalendarDays NONE = new CalendarDays(new long[0], new long[0], 0);

  private final long[] firsts;
  private final long[] lasts;
  private final int weekdays;

  private CalendarDays(long[] firsts, long[] lasts, int weekdays) {
    this.firsts = firsts;
    this.lasts = lasts;
    this.weekdays = weekdays;
  }

  /** O(n log n) in the number of ranges. */
  static CalendarDays of(Calendar calendar) {
    List<DateRange> ranges =
        calendar.getDates().stream().sorted(Comparator.comparing(DateRange::getFirst)).toList();
    long[] firsts = new long[ranges.size()];
    long[] lasts = new long[ranges.size()];
    int size = 0;
    for (DateRange range : ranges) {
      long first = range.getFirst().toEpochDay();
      long last = range.getLast().toEpochDay();
      if (size > 0 && first <= lasts[size - 1] + 1) {
        lasts[size - 1] = Math.max(lasts[size - 1], last);
      } else {
        firsts[size] = first;
        lasts[size++] = last;
      }
    }
    int weekdays = 0;
    for (Weekday weekday : calendar.getWeekdays()) {
      weekdays |= 1 << bit(weekday);
    }
    return new CalendarDays(Arrays.copyOf(firsts, size), Arrays.copyOf(lasts, size), weekdays);
  }

  boolean contains(long day) {
    return isNamedWeekday(day) || isInRange(rangeFrom(day), day);
  }

  /** The last day of the range that contains {@code day}, or {@code day} itself. */
  long lastOfRun(long day) {
    int range = rangeFrom(day);
    return isInRange(range, day) ? lasts[range] : day;
  }

  /**
   * The first of its days from {@code day} to {@code limit}, {@code limit + 1} if there is none.
   */
  long firstFrom(long day, long limit) {
    int range = rangeFrom(day);
    long found = range < firsts.length ? Math.max(day, firsts[range]) : limit + 1;
    for (long next = day; next < day + 7 && next < found && weekdays != 0; next++) {
      if (isNamedWeekday(next)) {
        found = next;
      }
    }
    return Math.min(found, limit + 1);
  }

  /** The first range that ends at or after a day. */
  private int rangeFrom(long day) {
    int found = Arrays.binarySearch(lasts, day);
    return found >= 0 ? found : -found - 1;
  }

  private boolean isInRange(int range, long day) {
    return range < firsts.length && firsts[range] <= day;
  }

  private boolean isNamedWeekday(long day) {
    return (weekdays >> Math.floorMod(day + 3, 7) & 1) != 0;
  }

  /** 1970-01-01, the epoch day 0, was a Thursday. */
  private static int bit(Weekday weekday) {
    return switch (weekday) {
      case MON -> 0;
      case TUE -> 1;
      case WED -> 2;
      case THU -> 3;
      case FRI -> 4;
      case SAT -> 5;
      case SUN -> 6;
    };
  }
}
