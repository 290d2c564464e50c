package io.waterclock.occurrences;

import com.cronutils.model.field.constraint.FieldConstraintsBuilder;
import com.cronutils.model.field.expression.Between;
import com.cronutils.model.field.expression.Every;
import com.cronutils.model.field.expression.FieldExpression;
import com.cronutils.model.field.expression.On;
import com.cronutils.model.field.value.FieldValue;
import com.cronutils.model.field.value.IntegerFieldValue;
import com.cronutils.model.field.value.SpecialChar;
import com.cronutils.parser.FieldParser;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * Reads the fields of an expression into bit sets, with cron-utils as the parser of their elements.
 *
 * <p>cron-utils is given one element at a time (it drops the {@code L} of {@code 15,L}), with names
 * already turned into numbers (it does not know {@code MONL} or {@code SUN-SAT}), and only elements
 * of a known shape (it ignores what follows a second slash). Ranges are checked here, because its
 * validator refuses those that wrap round ({@code 22-2}) and cannot say which field is wrong.
 */
final class CronReader {

  private static final FieldParser PARSER =
      new FieldParser(
          FieldConstraintsBuilder.instance()
              .addLSupport()
              .addWSupport()
              .addLWSupport()
              .addHashSupport()
              .createConstraintsInstance());

  private static final Pattern NAME = Pattern.compile("[A-Z]{3}");
  private static final Pattern PLAIN = Pattern.compile("(\\*|\\d{1,3}(-\\d{1,3})?)(/\\d{1,3})?");
  private static final Pattern DAY_OF_MONTH = Pattern.compile("L(-\\d{1,3})?|LW|\\d{1,3}W");
  private static final Pattern DAY_OF_WEEK = Pattern.compile("\\d{1,3}(L|#\\d{1,3})");

  private final CronText text;

  CronReader(CronText text) {
    this.text = text;
  }

  /** The values of a field without days, as bits. */
  long values(CronField field) {
    long values = 0;
    for (String element : elements(field)) {
      values |= plain(field, element);
    }
    return values;
  }

  /** The days of a month that a day field names. */
  DayPattern days(CronField field) {
    DayPattern days = DayPattern.NONE;
    for (String element : elements(field)) {
      days = days.or(day(field, element));
    }
    return days;
  }

  private String[] elements(CronField field) {
    String written = text.field(field);
    if (field.isDay() && written.equals("?")) {
      return new String[] {"*"};
    }
    return written.split(",", -1);
  }

  private DayPattern day(CronField field, String element) {
    String numbers = inNumbers(field, element);
    if (field == CronField.DAY_OF_MONTH) {
      return DAY_OF_MONTH.matcher(numbers).matches()
          ? dayOfMonth(parse(field, element, numbers))
          : DayPattern.ofDays(plain(field, element));
    }
    return DAY_OF_WEEK.matcher(numbers).matches()
        ? dayOfWeek(parse(field, element, numbers))
        : DayPattern.ofWeekdays(plain(field, element));
  }

  private static DayPattern dayOfMonth(FieldExpression expression) {
    On on = (On) expression;
    return switch (on.getSpecialChar().getValue()) {
      case LW -> DayPattern.LAST_WORKDAY;
      case L -> DayPattern.beforeLast(daysBeforeLast(on.getNth().getValue()));
      default -> DayPattern.nearestWorkday(checked(CronField.DAY_OF_MONTH, on.getTime()));
    };
  }

  private static int daysBeforeLast(int written) {
    if (written > 30) {
      throw CronProblem.in(CronField.DAY_OF_MONTH, "L-" + written + " is out of range L-1 to L-30");
    }
    return Math.max(0, written); // cron-utils writes -1 where there is none
  }

  private static DayPattern dayOfWeek(FieldExpression expression) {
    On on = (On) expression;
    int day = CronField.DAY_OF_WEEK.value(checked(CronField.DAY_OF_WEEK, on.getTime()));
    if (on.getSpecialChar().getValue() == SpecialChar.L) {
      return DayPattern.last(day);
    }
    int nth = on.getNth().getValue();
    if (nth < 1 || nth > 5) {
      throw CronProblem.in(CronField.DAY_OF_WEEK, "#" + nth + " is out of range #1 to #5");
    }
    return DayPattern.nth(day, nth);
  }

  private static long plain(CronField field, String element) {
    String numbers = inNumbers(field, element);
    if (!PLAIN.matcher(numbers).matches()) {
      throw CronProblem.in(field, notUnderstood(field, element));
    }
    return values(field, parse(field, element, numbers));
  }

  private static long values(CronField field, FieldExpression expression) {
    int last = field.first() + field.size() - 1;
    if (expression instanceof On on) {
      int value = checked(field, on.getTime());
      return range(field, value, value, 1);
    }
    if (expression instanceof Between between) {
      return range(field, checked(field, between.getFrom()), checked(field, between.getTo()), 1);
    }
    if (expression instanceof Every every) {
      int step = step(field, every.getPeriod().getValue());
      if (every.getExpression() instanceof Between between) {
        return range(
            field, checked(field, between.getFrom()), checked(field, between.getTo()), step);
      }
      if (every.getExpression() instanceof On on) {
        return range(field, field.value(checked(field, on.getTime())), last, step);
      }
      return range(field, field.first(), last, step);
    }
    return range(field, field.first(), last, 1);
  }

  /** From one number to another, round the end where the second is smaller (22-2, SUN-SAT). */
  private static long range(CronField field, int from, int to, int step) {
    int through = to < from ? to + field.size() : to;
    long values = 0;
    for (int value = from; value <= through; value += step) {
      values |= 1L << field.value(value);
    }
    return values;
  }

  private static int step(CronField field, int step) {
    if (step < 1 || step > field.last()) {
      throw CronProblem.in(field, "step " + step + " is out of range 1-" + field.last());
    }
    return step;
  }

  private static int checked(CronField field, FieldValue<?> value) {
    int number = ((IntegerFieldValue) value).getValue();
    if (number < field.first() || number > field.last()) {
      throw CronProblem.in(
          field, number + " is out of range " + field.first() + "-" + field.last());
    }
    return number;
  }

  private static FieldExpression parse(CronField field, String element, String numbers) {
    try {
      return PARSER.parse(numbers);
    } catch (IllegalArgumentException e) {
      throw CronProblem.in(field, notUnderstood(field, element));
    }
  }

  private static String notUnderstood(CronField field, String element) {
    if (element.isEmpty()) {
      return "a value is missing in a list";
    }
    String hint =
        field == CronField.DAY_OF_WEEK && element.equals("L")
            ? "; the last Friday of a month is FRIL, the last day of a month L in the day of month"
            : "";
    return "\"" + Quote.of(element) + "\" is not understood" + hint;
  }

  private static String inNumbers(CronField field, String element) {
    return NAME.matcher(element)
        .replaceAll(
            name -> {
              OptionalInt number = field.number(name.group());
              return number.isPresent() ? Integer.toString(number.getAsInt()) : name.group();
            });
  }
}
