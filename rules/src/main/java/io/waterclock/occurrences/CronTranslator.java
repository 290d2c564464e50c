package io.waterclock.occurrences;

import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.text.Quoted;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Rewrites an expression of another dialect field by field in our own form, which {@link
 * CronReader} then reads. It refuses what the other scheduler refuses, and what it reads in a way
 * that our form cannot express.
 */
public final class CronTranslator {
  private static final Pattern CALL = Pattern.compile("CRON\\s*\\((.*)\\)");

  /** A value, a range, a star or nothing, each perhaps with a step. */
  private static final Pattern ELEMENT =
      Pattern.compile("(\\*?|[A-Z]{3}|\\d{1,9})(?:-([A-Z]{3}|\\d{1,9}))?(?:/(\\d{1,9}))?");

  /** A value of a range, or of the field, which cronie and OpenBSD choose. */
  private static final Pattern RANDOM = Pattern.compile("\\d*~\\d*(?:/\\d+)?");

  /** The last or the n-th such weekday of the month. */
  private static final Pattern WEEKDAY_OF_MONTH =
      Pattern.compile("([A-Z]{3}|\\d{1,9})(L|#\\d{1,9})");

  private final CronDialect dialect;

  private CronTranslator(CronDialect dialect) {
    this.dialect = dialect;
  }

  /**
   * An expression in our own form. Where days must match both day fields and neither begins with a
   * star, or where it names years, our form says less: see {@link #needsDialect}.
   *
   * @throws InvalidTriggerException if the expression is wrong or has no equal
   */
  public static String translated(String expression, CronDialect dialect) {
    return String.join(" ", read(expression, dialect).fields().values());
  }

  /**
   * Whether our own form cannot express this.
   *
   * @throws InvalidTriggerException as {@link #translated}
   */
  public static boolean needsDialect(String expression, CronDialect dialect) {
    CronText text = read(expression, dialect);
    boolean either = !text.isStar(CronField.DAY_OF_MONTH) && !text.isStar(CronField.DAY_OF_WEEK);
    return (either && text.everyDayRule()) || !text.years().equals(CronYears.ALL);
  }

  /**
   * @throws InvalidTriggerException with the problem and an example of the dialect
   */
  static CronText read(String expression, CronDialect dialect) {
    String text = expression.strip();
    if (dialect == CronDialect.WATERCLOCK) {
      return CronText.of(text);
    }
    CronText.requirePlain(text);
    CronHint.refuse(text, dialect);
    return new CronTranslator(dialect).read(text);
  }

  private CronText read(String expression) {
    String text = withoutCall(expression.toUpperCase(Locale.ROOT));
    boolean isJenkins = dialect == CronDialect.JENKINS; // its aliases hold an H
    boolean hasAliases = dialect == CronDialect.SPRING || (dialect.isPlain() && !isJenkins);
    if (hasAliases && text.startsWith("@")) {
      return CronText.of(expression);
    }
    List<String> fields = CronText.words(text);
    int given = fields.size();
    CronYears years = takeYears(fields);
    boolean lacksYears = dialect == CronDialect.AWS && fields.size() == given;
    boolean mayHaveSeconds = dialect == CronDialect.FUGIT && given == 6;
    if ((fields.size() != (dialect.hasSeconds() ? 6 : 5) && !mayHaveSeconds) || lacksYears) {
      throw wrongNumber(given);
    }
    if (fields.size() == 5) {
      fields.add(0, "0");
    }
    CronText written = CronText.of(fields, false, years);
    requireQuestionMarks(written);
    if (dialect == CronDialect.CRONITER) {
      StarredDays.requireOneDayField(written);
    }
    List<String> ours = new ArrayList<>();
    for (CronField field : CronField.values()) {
      String translated = rewritten(field, written.field(field));
      ours.add(
          field.isDay() && dialect.restrictsByStep()
              ? StarredDays.rewritten(field, translated, written.field(field.otherDay()), dialect)
              : translated);
    }
    return CronText.of(ours, dialect.needsBothDays(), years);
  }

  private String withoutCall(String text) {
    Matcher call = CALL.matcher(text);
    if (dialect != CronDialect.AWS || !call.matches()) {
      return text;
    }
    return call.group(1).trim();
  }

  /** The years are the seventh field of Quartz and the sixth of EventBridge. */
  private CronYears takeYears(List<String> fields) {
    int at = dialect == CronDialect.QUARTZ ? 6 : 5;
    return dialect.isOfQuartz() && fields.size() == at + 1
        ? CronYears.parse(fields.remove(at))
        : CronYears.ALL;
  }

  private InvalidTriggerException wrongNumber(int written) {
    String expected =
        switch (dialect) {
          case QUARTZ -> "six fields (seconds first), or seven with years";
          case SPRING -> "six fields, seconds first";
          case AWS -> "six fields, years last and no seconds";
          case FUGIT -> "five fields, or six with seconds first";
          case CRONITER -> written == 6 ? "five fields (a sixth is seconds there)" : "five fields";
          default -> "five fields";
        };
    return problem("expected " + expected + ", not " + written);
  }

  private void requireQuestionMarks(CronText written) {
    String ofMonth = written.field(CronField.DAY_OF_MONTH);
    String ofWeek = written.field(CronField.DAY_OF_WEEK);
    if (dialect.isOfQuartz() && ofMonth.equals("?") == ofWeek.equals("?")) {
      throw problem("day of month and day of week: exactly one of them must be ?");
    }
    if (dialect.stepsThroughRanges() && (ofMonth.equals("?") || ofWeek.equals("?"))) {
      throw problem("? is not part of " + where() + "; write *");
    }
  }

  private String rewritten(CronField field, String written) {
    if (dialect == CronDialect.CRONITER && StarredDays.areOfMonth(field, written)) {
      return written.replaceAll("L(\\d)", "$1L");
    }
    String[] elements = written.split(",", -1);
    if (dialect == CronDialect.QUARTZ
        && field == CronField.DAY_OF_WEEK
        && elements.length > 1
        && Stream.of(elements).anyMatch(element -> element.matches(".*[L#].*"))) {
      throw in(field, Quoted.of(written) + ": Quartz reads L and # for one weekday only");
    }
    return Stream.of(elements)
        .map(element -> element(field, element))
        .collect(Collectors.joining(","));
  }

  private String element(CronField field, String written) {
    Matcher element = ELEMENT.matcher(written);
    if (element.matches() && !written.isEmpty() && !written.equals("L")) {
      return plain(field, written, element);
    }
    if (dialect == CronDialect.CRONITER && field == CronField.DAY_OF_MONTH && written.equals("L")) {
      return written;
    }
    if (dialect == CronDialect.UNIX && RANDOM.matcher(written).matches()) {
      throw in(
          field,
          Quoted.of(written)
              + " is a random value, which cron chooses when it reads the table; write one value,"
              + " and spread the runs with the field jitter");
    }
    if (written.equals("?")
        && (dialect == CronDialect.ROBFIG || (dialect == CronDialect.CRONITER && field.isDay()))) {
      return "*";
    }
    if (dialect == CronDialect.FUGIT && written.contains("%")) {
      throw in(
          field,
          Quoted.of(written)
              + " has no equal as cron; use the field rrule with an anchor, such as"
              + " FREQ=WEEKLY;INTERVAL=2;BYDAY=SU");
    }
    if (dialect.isPlain()) {
      throw in(
          field,
          Quoted.of(written)
              + " is not part of "
              + where()
              + (dialect == CronDialect.JENKINS ? "" : CronHint.forElement(field, written)));
    }
    if (field != CronField.DAY_OF_WEEK) {
      return written;
    }
    if (dialect.isOfQuartz() && written.equals("L")) {
      return "6"; // Saturday, the last day of the week
    }
    Matcher ofMonth = WEEKDAY_OF_MONTH.matcher(written);
    return ofMonth.matches() ? weekday(ofMonth.group(1)) + ofMonth.group(2) : written;
  }

  private String where() {
    return dialect == CronDialect.UNIX ? "a crontab" : "the dialect " + dialect.symbol();
  }

  private String plain(CronField field, String written, Matcher element) {
    boolean isWeekday = field == CronField.DAY_OF_WEEK;
    String from = element.group(1);
    String to = element.group(2);
    String step = element.group(3);
    if (from.isEmpty() && (dialect != CronDialect.QUARTZ || to != null)) {
      throw in(field, Quoted.of(written) + " is not understood");
    }
    boolean isNamed = !from.isEmpty() && Character.isLetter(from.charAt(0));
    if (dialect.isOfQuartz() && isNamed && step != null) {
      throw in(
          field, Quoted.of(written) + ": " + dialect.title() + " ignores a step behind a name");
    }
    if (dialect == CronDialect.ROBFIG && isWeekday) {
      requireSix(written, from);
      requireSix(written, to == null ? "" : to);
    }
    if (dialect == CronDialect.CRONITER || dialect == CronDialect.FUGIT) {
      StarredDays.requireEqual(field, written, from, to, step, dialect);
    }
    if (to != null && !dialect.hasRoundRanges()) {
      requireForwards(field, written, from, to);
    }
    if (dialect == CronDialect.JENKINS && isNamed) {
      throw in(field, Quoted.of(written) + ": Jenkins has no names; write the number");
    }
    if (dialect.stepsThroughRanges() && step != null && to == null && !from.equals("*")) {
      throw in(
          field,
          Quoted.of(written)
              + ": "
              + where()
              + " has steps behind * and ranges only; write "
              + from
              + "-"
              + field.last()
              + "/"
              + step);
    }
    String first = from.isEmpty() ? "*" : isWeekday ? weekday(from) : from;
    String last = to == null ? "" : "-" + (isWeekday ? weekday(to) : to);
    if (isWeekday && dialect == CronDialect.UNIX && to != null && isFirstDay(to)) {
      last = isFirstDay(from) ? last : "-7"; // since March 2025 cronie reads SAT-SUN and 6-0
    }
    if (isWeekday && dialect == CronDialect.SPRING && to != null) {
      first = isSunday(first) ? "0" : first; // so 7-7 and SUN-SUN are every day
      last = isSunday(to) ? "-7" : last;
    }
    if (isWeekday && dialect == CronDialect.SPRING && step != null && to == null) {
      // Spring's week is Monday to Sunday, and it reads 0 and SUN in different ways
      return (first.equals("*") ? "1" : first.equals("SUN") ? "7" : first) + "-7/" + step;
    }
    return first + last + (step == null ? "" : "/" + step);
  }

  private void requireSix(String element, String weekday) {
    if (weekday.equals("7")) {
      throw in(
          CronField.DAY_OF_WEEK,
          Quoted.of(element) + ": 7 is out of range 0-6; Sunday is 0 in Kubernetes");
    }
  }

  private static boolean isFirstDay(String written) {
    return written.equals("0") || written.equals("SUN");
  }

  private static boolean isSunday(String written) {
    return written.equals("7") || written.equals("SUN");
  }

  private void requireForwards(CronField field, String written, String from, String to) {
    boolean isSpringWeek = field == CronField.DAY_OF_WEEK && dialect == CronDialect.SPRING;
    int first = isSpringWeek && isSunday(from) ? 0 : field.written(from);
    boolean isLastDay =
        isSpringWeek
            ? isSunday(to)
            : field == CronField.DAY_OF_WEEK && dialect == CronDialect.UNIX && isFirstDay(to);
    int last = isLastDay ? 7 : field.written(to);
    if (first > last) {
      throw in(
          field, Quoted.of(written) + " runs backwards, which " + dialect.title() + " refuses");
    }
  }

  /** A weekday as ours: Sunday is 0. */
  private String weekday(String written) {
    if (!dialect.isOfQuartz() || written.equals("*") || !Character.isDigit(written.charAt(0))) {
      return written;
    }
    int number = Integer.parseInt(written);
    if (number < 1 || number > 7) {
      throw in(
          CronField.DAY_OF_WEEK,
          number + " is out of range 1-7, where 1 is Sunday in " + dialect.title());
    }
    return Integer.toString(number - 1);
  }

  private InvalidTriggerException in(CronField field, String problem) {
    return problem(field.title() + ": " + problem);
  }

  private InvalidTriggerException problem(String problem) {
    return new InvalidTriggerException("cron", problem, dialect.example());
  }
}
