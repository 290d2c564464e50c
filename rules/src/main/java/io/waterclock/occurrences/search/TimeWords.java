package io.waterclock.occurrences.search;

import io.waterclock.occurrences.core.Words;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** English for times of day. */
public final class TimeWords {

  private static final int MOST_LISTED = 6;
  private static final long ALL_SIXTY = (1L << 60) - 1;
  private static final long ALL_HOURS = (1L << 24) - 1;

  private TimeWords() {}

  /** A time on the wall clock, without seconds and milliseconds that are zero. */
  public static String of(LocalDateTime time) {
    return time.toLocalDate() + " " + time.toLocalTime().truncatedTo(ChronoUnit.MILLIS);
  }

  /** Lists a few times one by one, otherwise describes second, minute and hour. */
  public static String of(TimesOfDay times) {
    if (times.count() <= MOST_LISTED) {
      List<String> each = new ArrayList<>();
      for (int i = 0; i < times.count(); i++) {
        each.add(LocalTime.ofSecondOfDay(times.element(i)).toString());
      }
      return "at " + Words.and(each);
    }
    String seconds = seconds(times.seconds());
    String minutes = minutes(times.minutes(), seconds.isEmpty());
    String hours = hours(times.hours(), !minutes.isEmpty() && !minutes.contains("every"));
    return (seconds + minutes + hours).strip();
  }

  /** Empty for second 0 alone, which is the default. */
  private static String seconds(long seconds) {
    return seconds == 1 ? "" : steps(seconds, "second");
  }

  private static String minutes(long minutes, boolean alone) {
    if (alone) {
      return steps(minutes, "minute");
    }
    return minutes == ALL_SIXTY ? " of every minute" : " of " + listed(minutes, "minute");
  }

  private static String hours(long hours, boolean everyHour) {
    if (hours == ALL_HOURS) {
      return everyHour ? " of every hour" : "";
    }
    return (everyHour ? " of " : " in ") + "the " + listed(hours, "hour");
  }

  private static String steps(long bits, String unit) {
    if (bits == ALL_SIXTY) {
      return "every " + unit;
    }
    int step = Long.numberOfTrailingZeros(bits & ~1L);
    return 60 % step == 0 && bits == everyNth(step)
        ? "every " + step + " " + unit + "s"
        : "at " + listed(bits, unit);
  }

  private static long everyNth(int step) {
    long bits = 0;
    for (int i = 0; i < 60; i += step) {
      bits |= 1L << i;
    }
    return bits;
  }

  private static String listed(long bits, String unit) {
    String numbers = Words.list(bits, Integer::toString);
    return Long.bitCount(bits) == 1 ? unit + " " + numbers : unit + "s " + numbers;
  }
}
