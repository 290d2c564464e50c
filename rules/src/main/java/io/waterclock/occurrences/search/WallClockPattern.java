package io.waterclock.occurrences.search;

import io.waterclock.occurrences.core.Days;
import io.waterclock.occurrences.core.Sequence;

/**
 * The wall-clock seconds at which an expression occurs, as if clocks never changed: the days that
 * match times the times of day that match. Neither is empty. Local seconds count from
 * 1970-01-01T00:00 on the wall clock.
 */
record WallClockPattern(Days days, TimesOfDay times) implements Sequence {

  private static final int SECONDS_PER_DAY = 86_400;

  @Override
  public long next(long local) {
    int today = (int) Math.floorDiv(local, SECONDS_PER_DAY);
    int time = times.next((int) (local - today * (long) SECONDS_PER_DAY));
    int day = days.next(time < 0 ? today + 1 : today);
    return day * (long) SECONDS_PER_DAY + (day == today ? time : times.first());
  }

  @Override
  public long previous(long local) {
    int today = (int) Math.floorDiv(local, SECONDS_PER_DAY);
    int time = times.previous((int) (local - today * (long) SECONDS_PER_DAY));
    int day = days.previous(time < 0 ? today - 1 : today);
    return day * (long) SECONDS_PER_DAY + (day == today ? time : times.last());
  }

  @Override
  public long count(long from, long to) {
    if (to <= from) {
      return 0;
    }
    int firstDay = (int) Math.floorDiv(from, SECONDS_PER_DAY);
    int lastDay = (int) Math.floorDiv(to, SECONDS_PER_DAY);
    return (long) days.count(firstDay, lastDay) * times.count()
        + countBefore(lastDay, to)
        - countBefore(firstDay, from);
  }

  @Override
  public long element(long from, long to, long index) {
    int firstDay = (int) Math.floorDiv(from, SECONDS_PER_DAY);
    long fromMidnight = index + countBefore(firstDay, from);
    int wanted = (int) (fromMidnight / times.count());
    int low = firstDay;
    int high = (int) Math.floorDiv(to, SECONDS_PER_DAY);
    while (low < high) {
      int middle = low + (high - low) / 2;
      if (days.count(firstDay, middle + 1) > wanted) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low * (long) SECONDS_PER_DAY + times.element((int) (fromMidnight % times.count()));
  }

  private int countBefore(int day, long local) {
    return days.next(day) == day
        ? times.countBefore((int) (local - day * (long) SECONDS_PER_DAY))
        : 0;
  }
}
