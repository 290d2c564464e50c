package io.waterclock.occurrences.core;

import java.time.DayOfWeek;
import java.time.Month;
import java.time.format.TextStyle;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;

/** English for numbers, days and lists of them. */
public final class Words {

  private Words() {}

  public static String ordinal(int n) {
    int tens = n / 10 % 10;
    String ending =
        tens == 1
            ? "th"
            : switch (n % 10) {
              case 1 -> "st";
              case 2 -> "nd";
              case 3 -> "rd";
              default -> "th";
            };
    return n + ending;
  }

  /** Sunday is 0. */
  public static String weekday(int weekday) {
    return DayOfWeek.of(weekday == 0 ? 7 : weekday).getDisplayName(TextStyle.FULL, Locale.ENGLISH);
  }

  public static String month(int month) {
    return Month.of(month).getDisplayName(TextStyle.FULL, Locale.ENGLISH);
  }

  /** Without the number if it is 1, as behind "every". */
  public static String counted(long n, String unit) {
    return n == 1 ? unit : number(n, unit);
  }

  /** {@code 1 run}, {@code 3 runs}. */
  public static String number(long n, String unit) {
    return n + " " + (n == 1 ? unit : unit + "s");
  }

  /** Set bits, three and more in a row as a range. */
  public static String list(long bits, IntFunction<String> name) {
    List<String> parts = new ArrayList<>();
    BitSet set = BitSet.valueOf(new long[] {bits});
    for (int first = set.nextSetBit(0); first >= 0; first = set.nextSetBit(first + 1)) {
      int last = set.nextClearBit(first) - 1;
      if (last - first > 1) {
        parts.add(name.apply(first) + " to " + name.apply(last));
        first = last;
      } else {
        parts.add(name.apply(first));
      }
    }
    return and(parts);
  }

  /** Days of the week from Monday on; bit 0 is Sunday. */
  public static String weekdays(long bits) {
    long fromMonday = (bits >>> 1 & 63) << 1 | (bits & 1) << 7;
    return list(fromMonday, day -> weekday(day % 7));
  }

  public static String and(List<String> parts) {
    int size = parts.size();
    return size < 2
        ? String.join("", parts)
        : String.join(", ", parts.subList(0, size - 1)) + " and " + parts.get(size - 1);
  }
}
