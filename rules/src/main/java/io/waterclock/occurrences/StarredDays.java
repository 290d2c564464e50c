package io.waterclock.occurrences;

import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.text.Quoted;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The day fields of robfig/cron, croniter and fugit, which ask not what a field begins with but
 * whether it restricts the day. If both do, either is enough; else both must match.
 *
 * <p>Our form says the same by the first character: {@code *} restricts nothing, {@code 1-31/2}
 * does.
 */
final class StarredDays {
  private static final Pattern OF_MONTH =
      Pattern.compile("(?:[0-7]|[A-Z]{3})#[1-5](?:,(?:[0-7]|[A-Z]{3})#[1-5])*|L[0-7](?:,L[0-7])*");

  private StarredDays() {}

  /**
   * A day field in a form that begins with a star only if it restricts nothing.
   *
   * @param text in our own form
   * @param other the other day field as it was given
   */
  static String rewritten(CronField field, String text, String other, CronDialect dialect) {
    boolean isOpen =
        Stream.of(text.split(",", -1)).anyMatch(element -> isStar(element, dialect))
            || (dialect == CronDialect.CRONITER && other.contains("*") && namesAll(field, text));
    return isOpen
        ? "*"
        : Stream.of(text.split(",", -1))
            .map(element -> element.replace("*", field.first() + "-" + field.lastValue()))
            .collect(Collectors.joining(","));
  }

  /** Whether a field of croniter names weekdays of the month: {@code FRI#3,5#1} or {@code L5}. */
  static boolean areOfMonth(CronField field, String written) {
    return field == CronField.DAY_OF_WEEK && OF_MONTH.matcher(written).matches();
  }

  /**
   * Refuses a day of the month beside weekdays of the month, for which croniter finds no date.
   *
   * @throws InvalidTriggerException if both day fields restrict the day
   */
  static void requireOneDayField(CronText written) {
    String ofWeek = written.field(CronField.DAY_OF_WEEK);
    String ofMonth = written.field(CronField.DAY_OF_MONTH);
    if (areOfMonth(CronField.DAY_OF_WEEK, ofWeek) && !ofMonth.equals("*")) {
      throw wrong(
          CronField.DAY_OF_WEEK,
          ofWeek,
          "croniter finds no date for it beside a day of the month; write * there");
    }
  }

  private static boolean isStar(String element, CronDialect dialect) {
    return element.equals("*") || (dialect == CronDialect.ROBFIG && element.equals("*/1"));
  }

  /** A field that cannot be read names nothing; the reader reports it. */
  private static boolean namesAll(CronField field, String text) {
    long values = 0;
    for (String element : text.split(",", -1)) {
      try {
        values |= new CronElement(field, element).values();
      } catch (InvalidTriggerException e) {
        return false;
      }
    }
    return Long.bitCount(values) == field.size();
  }

  /**
   * Refuses ranges that croniter and fugit read in a way of their own.
   *
   * @param from the first value, or a star
   * @param to the last value, if it is a range
   * @param step the step, if there is one
   * @throws InvalidTriggerException if the element has no equal
   */
  static void requireEqual(
      CronField field,
      String element,
      String from,
      @Nullable String to,
      @Nullable String step,
      CronDialect dialect) {
    if (from.equals("*")) {
      requireNoStepOfWeekdays(field, element, step, dialect);
      return;
    }
    int first = field.written(from);
    int last = to == null ? first : field.written(to);
    boolean isOne = to != null && first == last;
    boolean isFromLast = to == null && step != null && first == field.lastValue();
    if (dialect == CronDialect.CRONITER && (isOne || isFromLast)) {
      throw wrong(field, element, "croniter reads it as the whole field; write " + first);
    }
    boolean isRound = last < first || (field == CronField.DAY_OF_WEEK && last == field.last());
    if (step != null && isRound) {
      throw wrong(
          field, element, dialect.title() + " steps round the end in its own way; write a list");
    }
    requireNoStepOfWeekdays(field, element, to == null ? step : null, dialect);
  }

  /** croniter ends such a step on the Sunday after the week; that of fugit is not known. */
  private static void requireNoStepOfWeekdays(
      CronField field, String element, @Nullable String step, CronDialect dialect) {
    boolean isStar = element.startsWith("*");
    if (field == CronField.DAY_OF_WEEK
        && step != null
        && (dialect == CronDialect.FUGIT || !isStar)) {
      throw wrong(
          field, element, dialect.title() + " steps through the week in its own way; write a list");
    }
  }

  private static InvalidTriggerException wrong(CronField field, String element, String reason) {
    return CronProblem.in(field, Quoted.of(element) + ": " + reason);
  }
}
