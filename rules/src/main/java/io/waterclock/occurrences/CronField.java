package io.waterclock.occurrences;

import java.time.DayOfWeek;
import java.time.Month;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** The fields of a cron expression, in the order in which they are written. */
enum CronField {
  SECOND("second", 0, 59, 60, ""),
  MINUTE("minute", 0, 59, 60, ""),
  HOUR("hour", 0, 23, 24, ""),
  DAY_OF_MONTH("day of month", 1, 31, 31, ""),
  MONTH("month", 1, 12, 12, "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC"),
  DAY_OF_WEEK("day of week", 0, 7, 7, "SUN MON TUE WED THU FRI SAT");

  private final String title;
  private final int first;
  private final int last;
  private final int size;
  private final String names;

  CronField(String title, int first, int last, int size, String names) {
    this.title = title;
    this.first = first;
    this.last = last;
    this.size = size;
    this.names = names;
  }

  String title() {
    return title;
  }

  int first() {
    return first;
  }

  /** The largest number that may be written; for days of the week one more than there are. */
  int last() {
    return last;
  }

  /** The largest of the different values. */
  int lastValue() {
    return first + size - 1;
  }

  /** The number of different values. */
  int size() {
    return size;
  }

  /** The number for a name of three capital letters. */
  OptionalInt number(String name) {
    int at = names.indexOf(name);
    return at < 0 ? OptionalInt.empty() : OptionalInt.of(first + at / 4);
  }

  /** The number of digits or of a name; 0 for a word that is no name. */
  int written(String text) {
    return Character.isDigit(text.charAt(0)) ? Integer.parseInt(text) : number(text).orElse(0);
  }

  /** Whether a word of capital letters is a name or the beginning of one, from three letters on. */
  boolean isName(String word) {
    return number(word.substring(0, 3)).isPresent()
        && Stream.of(this == MONTH ? Month.values() : DayOfWeek.values())
            .anyMatch(name -> name.toString().startsWith(word));
  }

  /** The value of a written number: Sunday is 0 and 7. */
  int value(int written) {
    return first + (written - first) % size;
  }

  /** The day of week for the day of month, and the other way round. */
  CronField otherDay() {
    return this == DAY_OF_MONTH ? DAY_OF_WEEK : DAY_OF_MONTH;
  }

  boolean isDay() {
    return this == DAY_OF_MONTH || this == DAY_OF_WEEK;
  }
}
