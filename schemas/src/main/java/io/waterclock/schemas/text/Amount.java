package io.waterclock.schemas.text;

import io.waterclock.schemas.avro.Unit;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A number of units as people write it: {@code 30m}, {@code 2 hours}. */
record Amount(long n, Unit unit) {
  private static final long DAY_MS = 86_400_000;
  private static final Pattern ONE =
      Pattern.compile("\\s*(\\d{1,19})([.]\\d{1,19})?\\s*([A-Za-z]{1,12})\\s*");
  private static final int MAX_TEXT = 100;

  /**
   * Reads one or more amounts in a row, each of a smaller unit than the one before. Empty if the
   * text is anything else or a number does not fit a long. A single letter is a unit in lower case
   * only, since {@code M} means months to some. The last amount may have a decimal fraction, which
   * becomes an amount of milliseconds: {@code 1.5s} is a second and 500 of them.
   *
   * @throws InvalidValueException if a fraction is of a unit above hours, or finer than a
   *     millisecond
   */
  static Optional<List<Amount>> parse(String text) {
    if (text.length() > MAX_TEXT) {
      return Optional.empty();
    }
    List<Amount> amounts = new ArrayList<>();
    Matcher matcher = ONE.matcher(text);
    while (matcher.regionStart() < text.length()) {
      if (!matcher.lookingAt()) {
        return Optional.empty();
      }
      Optional<Amount> amount = of(matcher.group(1), matcher.group(3));
      if (amount.isEmpty() || !descends(amounts, amount.get().unit())) {
        return Optional.empty();
      }
      amounts.add(amount.get());
      Optional.ofNullable(matcher.group(2))
          .ifPresent(fraction -> amounts.add(part(text, fraction, amount.get().unit())));
      matcher.region(matcher.end(), text.length());
    }
    return amounts.isEmpty() ? Optional.empty() : Optional.of(List.copyOf(amounts));
  }

  /**
   * The length in milliseconds; for calendar units the longest that it can be.
   *
   * @throws ArithmeticException if a long does not hold it
   */
  long ms() {
    return Math.multiplyExact(n, unitMs(unit));
  }

  static long unitMs(Unit unit) {
    return switch (unit) {
      case MILLISECOND -> 1;
      case SECOND -> 1_000;
      case MINUTE -> 60_000;
      case HOUR -> 3_600_000;
      case DAY -> DAY_MS;
      case WEEK -> 7 * DAY_MS;
      case MONTH -> 31 * DAY_MS;
      case YEAR -> 366 * DAY_MS;
    };
  }

  private static Optional<Amount> of(String n, String unit) {
    try {
      long number = Long.parseLong(n);
      return unit(unit.length() == 1 ? unit : unit.toLowerCase(Locale.ROOT))
          .map(known -> new Amount(number, known));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static Optional<Unit> unit(String name) {
    return Optional.ofNullable(
        switch (name) {
          case "ms", "millisecond", "milliseconds" -> Unit.MILLISECOND;
          case "s", "sec", "secs", "second", "seconds" -> Unit.SECOND;
          case "m", "min", "mins", "minute", "minutes" -> Unit.MINUTE;
          case "h", "hour", "hours" -> Unit.HOUR;
          case "d", "day", "days" -> Unit.DAY;
          case "w", "week", "weeks" -> Unit.WEEK;
          case "mo", "month", "months" -> Unit.MONTH;
          case "y", "year", "years" -> Unit.YEAR;
          default -> null;
        });
  }

  /** The shortest name of a unit that is read as this unit. */
  static String symbol(Unit unit) {
    return switch (unit) {
      case MILLISECOND -> "ms";
      case MONTH -> "mo";
      default -> unit.name().substring(0, 1).toLowerCase(Locale.ROOT);
    };
  }

  private static Amount part(String text, String fraction, Unit unit) {
    if (unit.compareTo(Unit.HOUR) > 0) {
      throw new InvalidValueException(
          Quoted.of(text) + " has a fraction of a calendar unit; hours and less may have one",
          "PT36H");
    }
    try {
      BigDecimal unitMs = BigDecimal.valueOf(unitMs(unit));
      BigDecimal part = new BigDecimal("0" + fraction).multiply(unitMs);
      return new Amount(part.longValueExact(), Unit.MILLISECOND);
    } catch (ArithmeticException e) {
      throw new InvalidValueException(Quoted.of(text) + " is finer than a millisecond", "PT0.001S");
    }
  }

  private static boolean descends(List<Amount> before, Unit next) {
    return before.isEmpty() || next.compareTo(before.get(before.size() - 1).unit()) < 0;
  }
}
