package io.waterclock.definition;

import io.waterclock.occurrences.core.Effort;
import java.time.LocalDate;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The dates on which a schedule fires, as epoch days, by one version of each of its calendars. A
 * date is <em>open</em> if no calendar of {@code except} has it and, where {@code only} names
 * calendars, one of those has it. With a business day n, only the n-th open date of each month
 * counts, or the n-th from its end.
 *
 * <p>Idea: step from the end of one range of dates to the next, not from day to day. Spends as many
 * steps as there are calendars for each look at a date; a search for a business day looks at the
 * open dates of each month that it passes. For the meter's thread.
 *
 * @param businessDay from 1, or from -1 downwards; empty if every open date counts
 */
record OpenDays(
    List<CalendarDays> except, List<CalendarDays> only, OptionalInt businessDay, Effort effort) {
  private static final int LONGEST_MONTH = 31;

  boolean contains(long day) {
    return isOpen(day)
        && (businessDay.isEmpty() || chosenIn(firstOfMonth(day)).equals(OptionalLong.of(day)));
  }

  /** The first of these dates from {@code day} to {@code limit}; a later day if there is none. */
  long firstFrom(long day, long limit) {
    if (businessDay.isEmpty()) {
      return openFrom(day, limit);
    }
    for (long month = firstOfMonth(day); month <= limit; month = nextMonth(month)) {
      OptionalLong chosen = chosenIn(month);
      if (chosen.isPresent() && chosen.getAsLong() >= day) {
        return chosen.getAsLong();
      }
    }
    return limit + 1;
  }

  /** The first other date from {@code day} to {@code limit}, {@code limit + 1} if there is none. */
  long firstOtherFrom(long day, long limit) {
    if (businessDay.isEmpty()) {
      return closedFrom(day, limit);
    }
    long next = day;
    while (next <= limit && contains(next)) {
      next++;
    }
    return next;
  }

  /** The n-th open date of a month, n as {@code businessDay} says; empty if it has fewer. */
  private OptionalLong chosenIn(long firstOfMonth) {
    int n = businessDay.orElseThrow();
    long last = nextMonth(firstOfMonth) - 1;
    long[] open = new long[LONGEST_MONTH];
    int count = 0;
    for (long day = openFrom(firstOfMonth, last);
        day <= last && count != n;
        day = openFrom(day + 1, last)) {
      open[count++] = day;
    }
    int index = n > 0 ? n - 1 : count + n;
    return index >= 0 && index < count ? OptionalLong.of(open[index]) : OptionalLong.empty();
  }

  private static long firstOfMonth(long day) {
    return LocalDate.ofEpochDay(day).withDayOfMonth(1).toEpochDay();
  }

  private static long nextMonth(long firstOfMonth) {
    return LocalDate.ofEpochDay(firstOfMonth).plusMonths(1).toEpochDay();
  }

  private boolean isOpen(long day) {
    effort.spend(except.size() + only.size());
    return isNamed(day) && !isIn(except, day);
  }

  private boolean isNamed(long day) {
    return only.isEmpty() || isIn(only, day);
  }

  private static boolean isIn(List<CalendarDays> calendars, long day) {
    for (CalendarDays days : calendars) {
      if (days.contains(day)) {
        return true;
      }
    }
    return false;
  }

  private long openFrom(long day, long limit) {
    long next = day;
    boolean closed = true;
    while (closed && next <= limit) {
      closed = false;
      effort.spend(except.size() + only.size());
      if (!isNamed(next)) {
        closed = true;
        next = namedFrom(next + 1, limit);
      }
      for (CalendarDays days : except) {
        if (days.contains(next)) {
          closed = true;
          next = days.lastOfRun(next) + 1;
        }
      }
    }
    return next;
  }

  private long namedFrom(long day, long limit) {
    long first = limit + 1;
    for (CalendarDays days : only) {
      first = Math.min(first, days.firstFrom(day, limit));
    }
    return first;
  }

  private long closedFrom(long day, long limit) {
    long first = only.isEmpty() ? limit + 1 : unnamedFrom(day, limit);
    effort.spend(except.size());
    for (CalendarDays days : except) {
      first = Math.min(first, days.firstFrom(day, limit));
    }
    return first;
  }

  private long unnamedFrom(long day, long limit) {
    long next = day;
    boolean named = true;
    while (named && next <= limit) {
      named = false;
      effort.spend(only.size());
      for (CalendarDays days : only) {
        if (days.contains(next)) {
          named = true;
          next = days.lastOfRun(next) + 1;
        }
      }
    }
    return Math.min(next, limit + 1);
  }
}
