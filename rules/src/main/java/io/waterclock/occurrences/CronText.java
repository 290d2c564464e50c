package io.waterclock.occurrences;

import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.text.Quoted;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.StringTokenizer;

/**
 * An expression cut into its six fields, in upper case; aliases are written out.
 *
 * @param everyDayRule whether a day must match both day fields whatever they begin with
 */
record CronText(Map<CronField, String> fields, boolean everyDayRule, CronYears years) {

  static final int LONGEST = 1024;

  private static final Map<String, String> ALIASES =
      Map.of(
          "@YEARLY", "0 0 1 1 *",
          "@ANNUALLY", "0 0 1 1 *",
          "@MONTHLY", "0 0 1 * *",
          "@WEEKLY", "0 0 * * 0",
          "@DAILY", "0 0 * * *",
          "@MIDNIGHT", "0 0 * * *",
          "@HOURLY", "0 * * * *");

  /**
   * @param expression without space around it
   */
  static CronText of(String expression) {
    requirePlain(expression);
    CronHint.refuse(expression, CronDialect.WATERCLOCK);
    String text = expression.toUpperCase(Locale.ROOT);
    List<String> fields = words(text.startsWith("@") ? writtenOut(text) : text);
    int written = fields.size();
    if (written == 5) {
      fields.add(0, "0");
    }
    if (fields.size() != 6) {
      throw CronHint.wrongNumber(text, written);
    }
    return of(fields, false, CronYears.ALL);
  }

  /** Six fields in our own form. */
  static CronText of(List<String> fields, boolean everyDayRule, CronYears years) {
    Map<CronField, String> byField = new EnumMap<>(CronField.class);
    for (CronField field : CronField.values()) {
      byField.put(field, fields.get(byField.size()));
    }
    return new CronText(byField, everyDayRule, years);
  }

  /**
   * @throws InvalidTriggerException if the text is too long or has other characters than ASCII
   */
  static void requirePlain(String expression) {
    if (expression.length() > LONGEST) {
      throw CronProblem.of(
          "an expression has at most " + LONGEST + " characters, not " + expression.length());
    }
    for (int i = 0; i < expression.length(); i++) {
      if (!isPlain(expression.charAt(i))) {
        throw CronProblem.of(
            "%s has the character %s, which cron does not use"
                .formatted(Quoted.of(expression), Quoted.name(expression.charAt(i))));
      }
    }
  }

  /** A field as it was written. */
  String field(CronField field) {
    return Objects.requireNonNull(fields.get(field));
  }

  /** Whether a field covers everything by itself: what Vixie cron calls a star. */
  boolean isStar(CronField field) {
    return field(field).startsWith("*") || field(field).equals("?");
  }

  /** Whether a day must match both day fields, not either. */
  boolean needsBothDays() {
    return everyDayRule || isStar(CronField.DAY_OF_MONTH) || isStar(CronField.DAY_OF_WEEK);
  }

  private static boolean isPlain(char c) {
    return c == '\t' || (c >= ' ' && c <= '~');
  }

  static List<String> words(String text) {
    List<String> words = new ArrayList<>();
    StringTokenizer rest = new StringTokenizer(text, " \t");
    while (rest.hasMoreTokens()) {
      words.add(rest.nextToken());
    }
    return words;
  }

  static String writtenOut(String alias) {
    String text = ALIASES.get(alias);
    if (text == null) {
      throw CronProblem.of(
          Quoted.of(alias)
              + " is none of @yearly, @annually, @monthly, @weekly, @daily,"
              + " @midnight, @hourly");
    }
    return text;
  }
}
