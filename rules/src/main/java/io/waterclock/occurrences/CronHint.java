package io.waterclock.occurrences;

import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.text.Quoted;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names the field to use for a text that is not a cron expression. */
final class CronHint {
  private static final Pattern ZONE = Pattern.compile("(?:CRON_)?TZ=.*");
  private static final Pattern EVERY = Pattern.compile("@EVERY(?:\\s.*)?");
  private static final Pattern CALL = Pattern.compile("CRON\\s*\\(.*\\)");
  private static final Pattern AT = Pattern.compile("AT\\s*\\(.*\\)");
  private static final Pattern HASH = Pattern.compile("H(?:\\(.*\\))?(?:/.*)?");
  private static final Pattern ZONE_NAME = Pattern.compile("[A-Z_]{2,}/[A-Z][A-Z0-9_/+-]*");
  private static final Pattern LONG_NAME = Pattern.compile("[A-Z]{4,}");
  private static final Pattern STEP = Pattern.compile("(?:\\*|0)/([1-9]\\d*)");
  private static final Map<CronField, String> UNITS =
      Map.of(
          CronField.SECOND, "seconds",
          CronField.MINUTE, "minutes",
          CronField.HOUR, "hours",
          CronField.DAY_OF_MONTH, "days",
          CronField.MONTH, "months");
  private static final Pattern RATE = Pattern.compile("RATE\\s*\\(\\s*(\\d*)\\s*([A-Z]*).*");
  private static final Pattern INTERVAL =
      Pattern.compile(
          "P[T\\d].*|\\d+ ?(?:MS|S|M|H|D|W|MO|Y|(?:SEC|MIN|HOUR|DAY|WEEK|MONTH|YEAR)\\w*)");
  private static final Pattern RULE = Pattern.compile("(?:RRULE:)?FREQ=.*");
  private static final Pattern INSTANT = Pattern.compile("\\d{4}-\\d\\d-\\d\\d.*");
  private static final Pattern EVERY_NTH_DAY =
      Pattern.compile("EVERY (?:\\w+ )?(?:MON|TUES?|WEDNES|THURS?|FRI|SATUR|SUN)(?:DAY)?S?");
  private static final Set<String> UNITS_OF_RATE = Set.of("minute", "hour", "day");
  private static final String EXAMPLE_OF_RATE = "rate(5 minutes)";
  private static final int WITH_YEAR = 7;

  private CronHint() {}

  /**
   * Rejects text that belongs in another field.
   *
   * @throws InvalidTriggerException that names the field
   */
  static void refuse(String expression, CronDialect dialect) {
    refuseRate(expression);
    String text = expression.toUpperCase(Locale.ROOT);
    String reason = ZONE.matcher(text).matches() ? zone(expression) : reason(text, dialect);
    if (!reason.isEmpty()) {
      throw CronProblem.of(Quoted.of(expression) + " " + reason);
    }
  }

  private static String zone(String expression) {
    return expression.startsWith("CRON_TZ=") || expression.startsWith("TZ=")
        ? "names a time zone that the field timezone does not; use that field alone"
        : "begins with a time zone in lower case; write CRON_TZ= or TZ=, or use the field timezone";
  }

  private static String reason(String text, CronDialect dialect) {
    if (EVERY.matcher(text).matches()) {
      return "is no interval; use the field every, with 5m or PT5M";
    }
    if (CALL.matcher(text).matches() && dialect != CronDialect.AWS) {
      return "is EventBridge's; add \"dialect\":\"aws\"";
    }
    if (AT.matcher(text).matches()) {
      return "is a time of EventBridge; use the field at, with what the brackets hold";
    }
    if (text.equals("@REBOOT")) {
      return "means nothing here, as nothing reboots; to fire once use the field at, with now";
    }
    if (RULE.matcher(text).matches()) {
      return "is a recurrence rule; use the field rrule";
    }
    if (INTERVAL.matcher(text).matches()) {
      return "is an interval; use the field every";
    }
    if (EVERY_NTH_DAY.matcher(text).matches()) {
      return "is no expression; for a weekday of each month use a day field such as FRI#2, for"
          + " every second week use the field every, with 2 weeks";
    }
    return INSTANT.matcher(text).matches() ? "is a time; use the field at" : "";
  }

  /** What to write in place of an element that is not understood; empty if that is not known. */
  static String forElement(CronField field, String element) {
    if (field == CronField.DAY_OF_WEEK && element.equals("L")) {
      return "; the last Friday of a month is FRIL, the last day of a month L in the day of month";
    }
    if (HASH.matcher(element).matches()) {
      return "; a value from the job's name is Jenkins: add \"dialect\":\"jenkins\", or use the field"
          + " jitter";
    }
    if (ZONE_NAME.matcher(element).matches()) {
      return "; a time zone goes into the field timezone; fugit reads one at the end: add"
          + " \"dialect\":\"fugit\"";
    }
    String shortened =
        LONG_NAME
            .matcher(element)
            .replaceAll(name -> field.isName(name.group()) ? name.group().substring(0, 3) : "$0");
    return shortened.equals(element) ? "" : "; write " + shortened;
  }

  /** Where a field cannot express a step from its beginning. */
  static String forStep(CronField field, String element) {
    Matcher step = STEP.matcher(element);
    return step.matches() && !UNITS.getOrDefault(field, "").isEmpty()
        ? "; for every %s %s use the field every".formatted(step.group(1), UNITS.get(field))
        : "";
  }

  /**
   * Rejects a rate of EventBridge. The readers of definitions turn a valid one into an interval
   * before.
   *
   * @throws InvalidTriggerException with the nearest valid rate
   */
  static void refuseRate(String expression) {
    Matcher rate = RATE.matcher(expression.toUpperCase(Locale.ROOT));
    if (rate.matches()) {
      throw new InvalidTriggerException(
          "cron",
          Quoted.of(expression)
              + " is no rate of EventBridge: a number and minutes, hours or days, or 1 and minute,"
              + " hour or day; for seconds use the field every",
          nearestRate(rate.group(1), rate.group(2)));
    }
  }

  private static String nearestRate(String digits, String unit) {
    String n = digits.replaceFirst("^0+", "");
    String singular = unit.toLowerCase(Locale.ROOT).replaceFirst("s$", "");
    boolean isKnown = UNITS_OF_RATE.contains(singular) && !n.isEmpty() && n.length() < 10;
    return isKnown ? "rate(" + n + " " + singular + (n.equals("1") ? ")" : "s)") : EXAMPLE_OF_RATE;
  }

  static InvalidTriggerException wrongNumber(String text, int written) {
    String hint =
        written == WITH_YEAR
            ? "; a field of years is Quartz: add \"dialect\":\"quartz\", or use the fields start_at and"
                + " end_at"
            : text.isEmpty() ? "; for an interval use the field every" : "";
    return CronProblem.of("expected five fields, or six with seconds first, not " + written + hint);
  }
}
