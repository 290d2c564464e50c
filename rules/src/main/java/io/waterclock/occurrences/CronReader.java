package io.waterclock.occurrences;

import io.waterclock.occurrences.core.InvalidTriggerException;
import java.util.EnumMap;
import java.util.Map;

/**
 * Reads the fields of an expression into bit sets and collects the problem of each, so that one
 * rejection names all of them.
 *
 * <p>Nothing here uses regular expressions, lambdas or streams: the first use of each in a JVM
 * costs more than reading a thousand expressions.
 */
final class CronReader {

  private static final int LONGEST_BEFORE_LAST = 30;
  private static final int MOST_OF_A_WEEKDAY = 5;

  private final CronText text;
  private final Map<CronField, String> problems = new EnumMap<>(CronField.class);

  CronReader(CronText text) {
    this.text = text;
  }

  /** The values of a field without days, as bits. */
  long values(CronField field) {
    long values = 0;
    for (String element : elements(field)) {
      try {
        values |= new CronElement(field, element).values();
      } catch (InvalidTriggerException e) {
        problems.putIfAbsent(field, e.problem());
      }
    }
    return values;
  }

  DaysOfMonth daysOfMonth() {
    DaysOfMonth days = DaysOfMonth.NONE;
    for (String element : elements(CronField.DAY_OF_MONTH)) {
      try {
        days = days.or(dayOfMonth(element));
      } catch (InvalidTriggerException e) {
        problems.putIfAbsent(CronField.DAY_OF_MONTH, e.problem());
      }
    }
    return days;
  }

  DaysOfWeek daysOfWeek() {
    DaysOfWeek days = DaysOfWeek.NONE;
    for (String element : elements(CronField.DAY_OF_WEEK)) {
      try {
        days = days.or(dayOfWeek(element));
      } catch (InvalidTriggerException e) {
        problems.putIfAbsent(CronField.DAY_OF_WEEK, e.problem());
      }
    }
    return days;
  }

  /**
   * @throws InvalidTriggerException with the first problem of each field read so far, if any
   */
  void requireNoProblem() {
    if (!problems.isEmpty()) {
      throw CronProblem.of(String.join("; ", problems.values()));
    }
  }

  private String[] elements(CronField field) {
    String written = text.field(field);
    return (field.isDay() && written.equals("?") ? "*" : written).split(",", -1);
  }

  private static DaysOfMonth dayOfMonth(String text) {
    CronElement element = new CronElement(CronField.DAY_OF_MONTH, text);
    if (element.take('L')) {
      return fromTheLast(element);
    }
    if (text.endsWith("W")) {
      int day = element.value();
      element.take('W');
      element.requireEnd();
      return DaysOfMonth.nearestWorkday(day);
    }
    return DaysOfMonth.of(element.values());
  }

  /** What may follow an L. */
  private static DaysOfMonth fromTheLast(CronElement element) {
    int before = element.take('-') ? element.number() : 0;
    boolean workday = element.take('W');
    element.requireEnd();
    if (before > LONGEST_BEFORE_LAST) {
      throw CronProblem.in(
          CronField.DAY_OF_MONTH,
          "L-" + before + " is out of range L-1 to L-" + LONGEST_BEFORE_LAST);
    }
    return workday ? DaysOfMonth.workdayBeforeLast(before) : DaysOfMonth.beforeLast(before);
  }

  private static DaysOfWeek dayOfWeek(String text) {
    CronElement element = new CronElement(CronField.DAY_OF_WEEK, text);
    if (text.endsWith("L")) {
      int weekday = CronField.DAY_OF_WEEK.value(element.value());
      element.take('L');
      element.requireEnd();
      return DaysOfWeek.last(weekday);
    }
    if (text.contains("#")) {
      int weekday = CronField.DAY_OF_WEEK.value(element.value());
      element.take('#');
      int n = element.number();
      element.requireEnd();
      if (n < 1 || n > MOST_OF_A_WEEKDAY) {
        throw CronProblem.in(
            CronField.DAY_OF_WEEK, "#" + n + " is out of range #1 to #" + MOST_OF_A_WEEKDAY);
      }
      return DaysOfWeek.nth(weekday, n);
    }
    return DaysOfWeek.of(element.values());
  }
}
