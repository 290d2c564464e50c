package io.waterclock.schemas.text;

import io.waterclock.schemas.avro.Unit;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The distance between two occurrences of a grid. As text: ISO-8601 durations ({@code PT5M}) and
 * periods ({@code P1M}), and numbers with a unit ({@code 30m}, {@code 1 month}, {@code 1h30m},
 * {@code 1.5h}).
 *
 * <p>Milliseconds to hours are exact; days to years are calendar units and do not mix with them,
 * because a day is not always 24 hours. {@code PT24H} is 24 hours and {@code P1D} is a day. An
 * exact ISO duration, several exact units in a row, or a decimal fraction becomes the largest unit
 * that holds it without a rest; a single number keeps the unit it was given.
 *
 * @param n how many units; at least 1 in what {@link #parse} gives
 */
public record Interval(long n, Unit unit) {
  private static final String EXAMPLE = "PT5M";
  private static final List<Unit> LARGEST_FIRST = List.of(Unit.HOUR, Unit.MINUTE, Unit.SECOND);
  private static final Pattern PERIOD =
      Pattern.compile(
          "P(?:(\\d{1,19})Y)?(?:(\\d{1,19})M)?(?:(\\d{1,19})W)?(?:(\\d{1,19})D)?(T.+)?",
          Pattern.CASE_INSENSITIVE);

  /**
   * Reads an interval.
   *
   * @throws InvalidValueException if the text is none, or it is not above zero, or longer than a
   *     long holds in milliseconds
   */
  public static Interval parse(String text) {
    String trimmed = text.strip();
    try {
      Interval interval =
          trimmed.toUpperCase(Locale.ROOT).startsWith("P") ? iso(trimmed) : plain(trimmed);
      if (interval.n < 1) {
        throw notPositive(text);
      }
      interval.ms(); // throws if that is too long
      return interval;
    } catch (ArithmeticException e) {
      throw new InvalidValueException(Quoted.of(text) + " is too long for an interval", EXAMPLE);
    }
  }

  /**
   * The shortest form that reads as the same interval: {@code PT5M}, {@code P1M}, {@code 90
   * minutes}.
   */
  public String text() {
    return switch (unit) {
      case MILLISECOND, SECOND, MINUTE, HOUR -> exactText();
      case DAY, WEEK, MONTH, YEAR -> "P" + n + unit.name().charAt(0);
    };
  }

  /**
   * A number and its unit, as people type it: {@code 5m}, {@code 2w}; reads as the same interval.
   */
  public String shortText() {
    return n + Amount.symbol(unit);
  }

  /** ISO text, unless reading it would give another unit. */
  private String exactText() {
    try {
      if (ofMillis(ms()).equals(this)) {
        return Duration.ofMillis(ms()).toString();
      }
    } catch (ArithmeticException e) {
      // too long for a duration
    }
    return n + " " + unit.name().toLowerCase(Locale.ROOT) + (n == 1 ? "" : "s");
  }

  private long ms() {
    return new Amount(n, unit).ms();
  }

  private static Interval plain(String text) {
    List<Amount> amounts = Amount.parse(text).orElseThrow(() -> notAnInterval(text));
    if (amounts.size() == 1) {
      return new Interval(amounts.get(0).n(), amounts.get(0).unit());
    }
    long ms = 0;
    for (Amount amount : amounts) {
      if (amount.unit().compareTo(Unit.HOUR) > 0) {
        boolean all = amounts.stream().allMatch(each -> each.unit().compareTo(Unit.HOUR) > 0);
        throw all
            ? new InvalidValueException(
                Quoted.of(text) + " has several calendar units; one kind is right", "P9D")
            : mixed(text);
      }
      ms = Math.addExact(ms, amount.ms());
    }
    return ofMillis(ms);
  }

  private static Interval iso(String text) {
    Matcher period = PERIOD.matcher(text);
    if (!period.matches()) {
      throw text.indexOf('-') >= 0 ? notPositive(text) : notAnInterval(text);
    }
    long years = group(period, 1);
    long months = group(period, 2);
    long weeks = group(period, 3);
    long days = group(period, 4);
    if (period.group(5) != null) {
      if (period.start(5) > 1) {
        throw mixed(text);
      }
      return ofMillis(Durations.parse(text).toMillis());
    }
    if ((years > 0 || months > 0) && (weeks > 0 || days > 0)) {
      throw new InvalidValueException(
          Quoted.of(text) + " mixes months or years with weeks or days; one kind is right", "P1M");
    }
    if (months > 0) {
      return new Interval(Math.addExact(Math.multiplyExact(years, 12), months), Unit.MONTH);
    }
    if (years > 0) {
      return new Interval(years, Unit.YEAR);
    }
    return days == 0 && weeks > 0
        ? new Interval(weeks, Unit.WEEK)
        : new Interval(Math.addExact(Math.multiplyExact(weeks, 7), days), Unit.DAY);
  }

  /** This time in the largest unit up to hours that holds it without a rest. */
  public static Interval ofMillis(long ms) {
    return LARGEST_FIRST.stream()
        .filter(unit -> ms % Amount.unitMs(unit) == 0)
        .findFirst()
        .map(unit -> new Interval(ms / Amount.unitMs(unit), unit))
        .orElseGet(() -> new Interval(ms, Unit.MILLISECOND));
  }

  private static long group(Matcher matcher, int group) {
    String digits = matcher.group(group);
    try {
      return digits == null ? 0 : Long.parseLong(digits);
    } catch (NumberFormatException e) {
      throw new InvalidValueException(
          Quoted.of(matcher.group()) + " is too long for an interval", EXAMPLE);
    }
  }

  private static InvalidValueException notPositive(String text) {
    return new InvalidValueException(Quoted.of(text) + " is not above zero", EXAMPLE);
  }

  private static InvalidValueException mixed(String text) {
    return new InvalidValueException(
        Quoted.of(text)
            + " mixes calendar units (days to years) with exact ones (hours and less); give hours"
            + " only, or days only",
        "PT36H");
  }

  private static InvalidValueException notAnInterval(String text) {
    return new InvalidValueException(
        Quoted.of(text)
            + " is not an interval: an ISO-8601 duration, or a number and one of"
            + " ms, s, min, h, d, w, mo, y",
        EXAMPLE);
  }
}
