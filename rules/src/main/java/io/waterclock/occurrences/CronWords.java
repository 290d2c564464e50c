package io.waterclock.occurrences;

import io.waterclock.occurrences.core.Words;
import io.waterclock.occurrences.search.TimeWords;
import io.waterclock.occurrences.search.TimesOfDay;
import java.util.ArrayList;
import java.util.List;

/** A cron expression in English, from the values that the search uses. */
final class CronWords {

  private static final long ALL_MONTHS = 0x1ffe;
  private static final int MOST_OF_A_WEEKDAY = 5;

  private CronWords() {}

  static String of(CronText text) {
    CronReader reader = new CronReader(text);
    String times =
        TimeWords.of(
            new TimesOfDay(
                reader.values(CronField.SECOND),
                reader.values(CronField.MINUTE),
                reader.values(CronField.HOUR)));
    String days = days(text, reader);
    long months = reader.values(CronField.MONTH);
    String inMonths = months == ALL_MONTHS ? "" : " in " + Words.list(months, Words::month);
    boolean once = !times.contains("every") && !times.contains("minute");
    return times + (days.isEmpty() && once ? " every day" : days) + inMonths;
  }

  private static String days(CronText text, CronReader reader) {
    String ofMonth = saysNothing(text, CronField.DAY_OF_MONTH) ? "" : ofMonth(reader.daysOfMonth());
    String ofWeek = saysNothing(text, CronField.DAY_OF_WEEK) ? "" : ofWeek(reader.daysOfWeek());
    if (ofMonth.isEmpty() || ofWeek.isEmpty()) {
      String one = ofMonth + ofWeek;
      return one.isEmpty() ? "" : " on " + one;
    }
    return text.needsBothDays()
        ? " on " + ofMonth + " if that is " + ofWeek + " (both must hold)"
        : " on " + ofMonth + " and on " + ofWeek + " (either is enough)";
  }

  private static boolean saysNothing(CronText text, CronField field) {
    return text.field(field).equals("*") || text.field(field).equals("?");
  }

  private static String ofMonth(DaysOfMonth days) {
    List<String> each = new ArrayList<>();
    if (days.days() != 0) {
      each.add("the " + Words.list(days.days() & 0xffff_ffffL, Words::ordinal));
    }
    for (int day = 1; day <= 31; day++) {
      if ((days.nearestWorkdays() >>> day & 1) != 0) {
        each.add("the day from Monday to Friday nearest to the " + Words.ordinal(day));
      }
    }
    for (int before = 30; before >= 0; before--) {
      if ((days.beforeLast() >>> before & 1) != 0) {
        each.add(beforeLast(before));
      }
    }
    for (int before = 30; before >= 0; before--) {
      if ((days.workdaysBeforeLast() >>> before & 1) != 0) {
        each.add(
            before == 0
                ? "the last day from Monday to Friday"
                : "the day from Monday to Friday nearest to " + nearestTo(before));
      }
    }
    return Words.and(each) + " of the month";
  }

  private static String nearestTo(int daysBeforeLast) {
    return daysBeforeLast == 1
        ? "the day before the last"
        : "the day that is " + daysBeforeLast + " days before the last";
  }

  private static String beforeLast(int days) {
    return switch (days) {
      case 0 -> "the last day";
      case 1 -> "the day before the last";
      default -> days + " days before the last";
    };
  }

  private static String ofWeek(DaysOfWeek days) {
    List<String> each = new ArrayList<>();
    if (days.weekdays() != 0) {
      each.add(Words.weekdays(days.weekdays()));
    }
    for (int n = 1; n <= MOST_OF_A_WEEKDAY; n++) {
      long weekdays = days.nth() >>> (7 * (n - 1)) & 127;
      if (weekdays != 0) {
        each.add("the " + Words.ordinal(n) + " " + Words.weekdays(weekdays));
      }
    }
    if (days.last() != 0) {
      each.add("the last " + Words.weekdays(days.last()));
    }
    boolean inMonth = days.nth() != 0 || days.last() != 0;
    return Words.and(each) + (inMonth ? " of the month" : "");
  }
}
