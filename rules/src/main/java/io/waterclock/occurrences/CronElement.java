package io.waterclock.occurrences;

import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.text.Quoted;
import java.util.OptionalInt;

/**
 * One element of a field's list, read from left to right: a value, a range or a star, each with an
 * optional step, or one of the forms that only days have.
 *
 * <p>Each method consumes the form that it looks for if that comes next.
 */
final class CronElement {

  private static final int MOST_DIGITS = 9;
  private static final int MOST_DIGITS_WITH_ZEROS = 3;
  private static final int LENGTH_OF_NAME = 3;

  private final CronField field;
  private final String text;
  private int at;

  CronElement(CronField field, String text) {
    this.field = field;
    this.text = text;
  }

  private boolean isAtEnd() {
    return at == text.length();
  }

  boolean take(char wanted) {
    boolean found = at < text.length() && text.charAt(at) == wanted;
    at += found ? 1 : 0;
    return found;
  }

  void requireEnd() {
    if (!isAtEnd()) {
      throw notUnderstood();
    }
  }

  /** A number of up to nine digits, or up to three that begin with a zero. */
  int number() {
    int start = at;
    while (!isAtEnd() && isDigit(text.charAt(at))) {
      at++;
    }
    String digits = text.substring(start, at);
    if (digits.isEmpty() || (digits.startsWith("0") && digits.length() > MOST_DIGITS_WITH_ZEROS)) {
      throw notUnderstood();
    }
    if (digits.length() > MOST_DIGITS) {
      throw CronProblem.in(field, Quoted.cut(digits) + " is too large");
    }
    return Integer.parseInt(digits);
  }

  /** A number or a name, as it was written: Sunday is 0 or 7. */
  int value() {
    OptionalInt named = name();
    if (named.isPresent()) {
      return named.getAsInt();
    }
    int number = number();
    if (number < field.first() || number > field.last()) {
      throw CronProblem.in(
          field, number + " is out of range " + field.first() + "-" + field.last());
    }
    return number;
  }

  private OptionalInt name() {
    if (at + LENGTH_OF_NAME > text.length()) {
      return OptionalInt.empty();
    }
    OptionalInt number = field.number(text.substring(at, at + LENGTH_OF_NAME));
    at += number.isPresent() ? LENGTH_OF_NAME : 0;
    return number;
  }

  /** The values of a value, a range or a star, with or without a step, as bits. */
  long values() {
    if (take('*')) {
      return stepped(field.first(), field.lastValue());
    }
    int from = value();
    if (take('-')) {
      int to = value();
      return stepped(from, to < from ? to + field.size() : to); // round the end: 22-2, SAT-SUN
    }
    return isAtEnd() ? 1L << field.value(from) : stepped(field.value(from), field.lastValue());
  }

  private long stepped(int from, int through) {
    int step = take('/') ? step() : 1;
    requireEnd();
    long values = 0;
    for (int value = from; value <= through; value += step) {
      values |= 1L << field.value(value);
    }
    return values;
  }

  private int step() {
    int step = number();
    if (step < 1 || step > field.last()) {
      throw CronProblem.in(
          field,
          "step " + step + " is out of range 1-" + field.last() + CronHint.forStep(field, text));
    }
    return step;
  }

  private InvalidTriggerException notUnderstood() {
    if (text.isEmpty()) {
      return CronProblem.in(field, "a value is missing in a list");
    }
    return CronProblem.in(
        field, Quoted.of(text) + " is not understood" + CronHint.forElement(field, text));
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
