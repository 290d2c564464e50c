package io.waterclock.occurrences;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** An expression cut into its six fields, in upper case; aliases are written out. */
record CronText(Map<CronField, String> fields) {

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

  static CronText of(String expression) {
    if (expression.length() > LONGEST) {
      throw CronProblem.of(
          "an expression has at most " + LONGEST + " characters, not " + expression.length());
    }
    if (!expression.chars().allMatch(c -> c == '\t' || (c >= ' ' && c < 127))) {
      throw CronProblem.of(
          "\"" + Quote.of(expression) + "\" has characters that cron does not use");
    }
    String text = expression.trim().toUpperCase(Locale.ROOT);
    if (text.startsWith("@")) {
      text = writtenOut(text);
    }
    List<String> fields = new ArrayList<>(List.of(text.split("[ \t]+")));
    if (fields.size() == 5) {
      fields.add(0, "0");
    }
    if (fields.size() != 6 || text.isEmpty()) {
      int count = text.isEmpty() ? 0 : fields.size();
      throw CronProblem.of("expected five fields, or six with seconds first, not " + count);
    }
    Map<CronField, String> byField = new EnumMap<>(CronField.class);
    Iterator<String> next = fields.iterator();
    for (CronField field : CronField.values()) {
      byField.put(field, next.next());
    }
    return new CronText(byField);
  }

  String field(CronField field) {
    return Objects.requireNonNull(fields.get(field));
  }

  /** Whether a field covers everything by itself: what Vixie cron calls a star. */
  boolean isStar(CronField field) {
    return field(field).startsWith("*") || field(field).equals("?");
  }

  private static String writtenOut(String alias) {
    String text = ALIASES.get(alias);
    if (text == null) {
      throw CronProblem.of(
          "\""
              + Quote.of(alias)
              + "\" is none of @yearly, @annually, @monthly, @weekly, @daily,"
              + " @midnight, @hourly");
    }
    return text;
  }
}
