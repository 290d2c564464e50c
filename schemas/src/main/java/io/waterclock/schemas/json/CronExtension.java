package io.waterclock.schemas.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.schemas.avro.CronTrigger;
import io.waterclock.schemas.avro.Dialect;
import io.waterclock.schemas.avro.EveryTrigger;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.text.Interval;
import io.waterclock.schemas.text.InvalidValueException;
import io.waterclock.schemas.text.Quoted;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Extensions of cron expressions in robfig/cron, Kubernetes, Hangfire, fugit and EventBridge:
 * {@code CRON_TZ=Europe/Berlin 0 9 * * *}, the same with {@code TZ=}, a zone at the end,
 * {@code @every 5m} and {@code rate(5 minutes)}. They are translated to the fields timezone and
 * every, so that stored definitions have one form.
 *
 * @param zone that the expression names
 * @param every the interval in place of an expression
 * @param rest the expression without its zone
 */
record CronExtension(Optional<String> zone, Optional<String> every, String rest) {
  private static final long HOURS_OF_A_DAY = 24;
  private static final String CRON = "cron";
  private static final String EVERY = "every";
  private static final String ANCHOR = "anchor";
  private static final String TIMEZONE = "timezone";
  private static final String DIALECT = "dialect";
  private static final String FUGIT = "fugit";
  private static final Pattern ZONED = Pattern.compile("(?:CRON_)?TZ=(\\S+)(?:\\s+(.*))?");

  /** fugit reads a zone behind five or six fields, or behind an alias. */
  private static final Pattern ZONED_AT_END =
      Pattern.compile(
          "((?:\\S+\\s+){4,5}\\S+|@\\S+)\\s+([A-Za-z_]{2,}/[A-Za-z][\\w/+-]*|UTC|GMT|Z|[+-]\\d\\d:\\d\\d)");

  private static final Pattern INTERVAL =
      Pattern.compile("@every\\s+(.*)", Pattern.CASE_INSENSITIVE);
  private static final Pattern CALL_OF_RATE =
      Pattern.compile("rate\\s*\\(.*", Pattern.CASE_INSENSITIVE);

  /** EventBridge refuses other units than these, and the singular of more than one. */
  private static final Pattern RATE =
      Pattern.compile(
          "rate\\s*\\(\\s*(?:(1)\\s+(minute|hour|day)|([2-9]|[1-9]\\d{1,8})\\s+(minute|hour|day)s)\\s*\\)",
          Pattern.CASE_INSENSITIVE);

  static CronExtension of(String expression, boolean isFugit) {
    String text = expression.strip();
    Matcher zonedAtEnd = ZONED_AT_END.matcher(text);
    if (isFugit && zonedAtEnd.matches()) {
      return new CronExtension(
          Optional.of(zonedAtEnd.group(2)), Optional.empty(), zonedAtEnd.group(1));
    }
    Matcher zoned = ZONED.matcher(text);
    boolean isZoned = zoned.matches();
    String rest = isZoned ? Optional.ofNullable(zoned.group(2)).orElse("") : text;
    return new CronExtension(
        isZoned ? Optional.of(zoned.group(1)) : Optional.empty(), interval(rest), rest);
  }

  private static Optional<String> interval(String text) {
    Matcher every = INTERVAL.matcher(text);
    if (every.matches()) {
      return Optional.of(every.group(1).strip());
    }
    Matcher rate = RATE.matcher(text);
    return rate.matches() ? Optional.of(rate(rate)) : Optional.empty();
  }

  /** A day of EventBridge is 24 hours, whatever the clocks do. */
  private static String rate(Matcher rate) {
    boolean isOne = rate.group(1) != null;
    long n = Long.parseLong(isOne ? rate.group(1) : rate.group(3));
    String unit = isOne ? rate.group(2) : rate.group(4);
    return unit.equalsIgnoreCase("day") ? n * HOURS_OF_A_DAY + " hours" : n + " " + unit;
  }

  private boolean isPlain() {
    return zone.isEmpty() && every.isEmpty();
  }

  /**
   * The JSON form of a definition with the extensions translated. Reports an expression and a field
   * timezone that name different zones.
   */
  static ObjectNode translated(ObjectNode object, Reading at) {
    JsonNode cron = object.get(CRON);
    if (cron == null || !cron.isTextual()) {
      return object;
    }
    boolean isFugit = object.path(DIALECT).asText().strip().equalsIgnoreCase(FUGIT);
    CronExtension dialect = of(cron.textValue(), isFugit);
    if (dialect.isPlain()) {
      return isWrongRate(cron.textValue()) ? withoutAnchor(object) : object;
    }
    ObjectNode copy = object.deepCopy();
    Optional<JsonNode> given = Member.value(object, TIMEZONE);
    if (dialect.zone().isPresent() && given.isEmpty()) {
      copy.put(TIMEZONE, dialect.zone().get());
    } else if (dialect
        .zone()
        .filter(zone -> !zone.equals(given.get().asText().strip()))
        .isPresent()) {
      at.field(CRON)
          .report(
              "names the time zone "
                  + Quoted.of(dialect.zone().get())
                  + ", and the field timezone another one; leave it out here",
              "\"cron\": \"0 9 * * 1-5\"");
    }
    if (dialect.every().isPresent() && Member.value(object, EVERY).isEmpty()) {
      copy.remove(List.of(CRON, DIALECT));
      copy.put(EVERY, dialect.every().get());
    } else {
      copy.put(CRON, dialect.rest());
    }
    return copy;
  }

  private static boolean isWrongRate(String text) {
    return CALL_OF_RATE.matcher(text.strip()).matches();
  }

  /** Validation rejects the rate, so the anchor beside it is not reported, too. */
  private static ObjectNode withoutAnchor(ObjectNode object) {
    ObjectNode copy = object.deepCopy();
    copy.remove(ANCHOR);
    return copy;
  }

  /**
   * Translates the extensions in a definition that was not read from JSON. An invalid extension
   * stays in the expression, and validation rejects it.
   */
  static void translate(Schedule schedule) {
    if (!(schedule.getTrigger() instanceof CronTrigger cron)) {
      return;
    }
    CronExtension dialect = of(cron.getExpression(), schedule.getDialect() == Dialect.FUGIT);
    String known = schedule.getTimezone();
    boolean isOtherZone =
        known != null && dialect.zone().filter(zone -> !zone.equals(known)).isPresent();
    if (dialect.isPlain() || isOtherZone) {
      return;
    }
    if (dialect.every().isPresent()) {
      try {
        Interval interval = Interval.parse(dialect.every().get());
        schedule.setTrigger(new EveryTrigger(interval.n(), interval.unit(), null, null));
        schedule.setDialect(Dialect.WATERCLOCK);
      } catch (InvalidValueException e) {
        return;
      }
    } else {
      schedule.setTrigger(new CronTrigger(dialect.rest()));
    }
    dialect.zone().ifPresent(schedule::setTimezone);
  }
}
