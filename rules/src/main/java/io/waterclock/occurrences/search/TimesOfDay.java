package io.waterclock.occurrences.search;

/**
 * The wall-clock times of a day at which an expression occurs: three bit sets, searched from the
 * hour down. Finding a second of the day takes a few shifts for every expression.
 *
 * <p>Example: {@code 0 *}{@code /20 9,17 * * *} asked from 09:45: hour 9 matches, no minute from 45
 * on does, so the next hour, 17, with its first minute and second: 17:00:00.
 */
public record TimesOfDay(long seconds, long minutes, long hours) {

  /** The first second of the day from this one on, or -1. */
  int next(int secondOfDay) {
    int hour = secondOfDay / 3600;
    int minute = secondOfDay / 60 - hour * 60;
    int second = secondOfDay - hour * 3600 - minute * 60;
    if ((hours >>> hour & 1) != 0) {
      long laterSeconds = seconds & (-1L << second);
      if ((minutes >>> minute & 1) != 0 && laterSeconds != 0) {
        return hour * 3600 + minute * 60 + lowest(laterSeconds);
      }
      long laterMinutes = minutes & (-2L << minute);
      if (laterMinutes != 0) {
        return hour * 3600 + lowest(laterMinutes) * 60 + lowest(seconds);
      }
    }
    long laterHours = hours & (-2L << hour);
    return laterHours == 0
        ? -1
        : lowest(laterHours) * 3600 + lowest(minutes) * 60 + lowest(seconds);
  }

  /** The last second of the day up to this one, or -1. */
  int previous(int secondOfDay) {
    int hour = secondOfDay / 3600;
    int minute = secondOfDay / 60 - hour * 60;
    int second = secondOfDay - hour * 3600 - minute * 60;
    if ((hours >>> hour & 1) != 0) {
      long earlierSeconds = seconds & ~(-2L << second);
      if ((minutes >>> minute & 1) != 0 && earlierSeconds != 0) {
        return hour * 3600 + minute * 60 + highest(earlierSeconds);
      }
      long earlierMinutes = minutes & ~(-1L << minute);
      if (earlierMinutes != 0) {
        return hour * 3600 + highest(earlierMinutes) * 60 + highest(seconds);
      }
    }
    long earlierHours = hours & ~(-1L << hour);
    return earlierHours == 0
        ? -1
        : highest(earlierHours) * 3600 + highest(minutes) * 60 + highest(seconds);
  }

  int first() {
    return lowest(hours) * 3600 + lowest(minutes) * 60 + lowest(seconds);
  }

  int last() {
    return highest(hours) * 3600 + highest(minutes) * 60 + highest(seconds);
  }

  /** How many there are in a day. */
  int count() {
    return Long.bitCount(hours) * Long.bitCount(minutes) * Long.bitCount(seconds);
  }

  /** How many there are before a second of the day. */
  int countBefore(int secondOfDay) {
    int hour = secondOfDay / 3600;
    int minute = secondOfDay / 60 - hour * 60;
    int second = secondOfDay - hour * 3600 - minute * 60;
    int inMinute = Long.bitCount(seconds & ~(-1L << second));
    int inHour =
        Long.bitCount(minutes & ~(-1L << minute)) * Long.bitCount(seconds)
            + ((minutes >>> minute & 1) != 0 ? inMinute : 0);
    return Long.bitCount(hours & ~(-1L << hour)) * Long.bitCount(minutes) * Long.bitCount(seconds)
        + ((hours >>> hour & 1) != 0 ? inHour : 0);
  }

  /** The second of the day before which there are {@code index}, for less than there are. */
  int element(int index) {
    int perMinute = Long.bitCount(seconds);
    int perHour = Long.bitCount(minutes) * perMinute;
    return bit(hours, index / perHour) * 3600
        + bit(minutes, index % perHour / perMinute) * 60
        + bit(seconds, index % perMinute);
  }

  private static int bit(long bits, int index) {
    long rest = bits;
    for (int i = 0; i < index; i++) {
      rest &= rest - 1;
    }
    return lowest(rest);
  }

  private static int lowest(long bits) {
    return Long.numberOfTrailingZeros(bits);
  }

  private static int highest(long bits) {
    return 63 - Long.numberOfLeadingZeros(bits);
  }
}
