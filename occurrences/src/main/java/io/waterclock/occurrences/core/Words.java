package io.waterclock.occurrences.core;

import java.time.DayOfWeek;
import java.time.Month;
import java.time.format.TextStyle;
import java.util.ArrayList;
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

  public static String counted(long n, String unit) {
    return n == 1 ? unit : n + " " + unit + "s";
  }

  /** Set bits, three and more in a row as a range. */
  public static String list(long bits, IntFunction<String> name) {
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      if ((bits >>> i & 1) != 0) {
        int last = i;
        while (last < 63 && (bits >>> (last + 1) & 1) != 0) {
          last++;
        }
        parts.add(name.apply(i));
        if (last > i) {
          int at = parts.size() - 1;
          parts.set(at, parts.get(at) + (last - i > 1 ? " to " + name.apply(last) : ""));
          if (last - i == 1) {
            parts.add(name.apply(last));
          }
        }
        i = last;
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
    return joined(parts, " and ");
  }

  static String or(List<String> parts) {
    return joined(parts, " or ");
  }

  private static String joined(List<String> parts, String last) {
    int size = parts.size();
    return size < 2
        ? String.join("", parts)
        : String.join(", ", parts.subList(0, size - 1)) + last + parts.get(size - 1);
  }
}
