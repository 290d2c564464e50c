package io.waterclock.schemas.text;

import io.waterclock.schemas.avro.Unit;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A number of units as people write it: {@code 30m}, {@code 2 hours}. */
record Amount(long n, Unit unit) {
  private static final Pattern ONE =
      Pattern.compile("\\s*(\\d{1,19})([.]\\d{1,19})?\\s*([A-Za-z]{1,12})\\s*");
  private static final int MAX_TEXT = 100;
  private static final Map<String, Unit> UNITS =
      Map.ofEntries(
          Map.entry("ms", Unit.MILLISECOND),
          Map.entry("millisecond", Unit.MILLISECOND),
          Map.entry("milliseconds", Unit.MILLISECOND),
          Map.entry("s", Unit.SECOND),
          Map.entry("sec", Unit.SECOND),
          Map.entry("secs", Unit.SECOND),
          Map.entry("second", Unit.SECOND),
          Map.entry("seconds", Unit.SECOND),
          Map.entry("m", Unit.MINUTE),
          Map.entry("min", Unit.MINUTE),
          Map.entry("mins", Unit.MINUTE),
          Map.entry("minute", Unit.MINUTE),
          Map.entry("minutes", Unit.MINUTE),
          Map.entry("h", Unit.HOUR),
          Map.entry("hour", Unit.HOUR),
          Map.entry("hours", Unit.HOUR),
          Map.entry("d", Unit.DAY),
          Map.entry("day", Unit.DAY),
          Map.entry("days", Unit.DAY),
          Map.entry("w", Unit.WEEK),
          Map.entry("week", Unit.WEEK),
          Map.entry("weeks", Unit.WEEK),
          Map.entry("mo", Unit.MONTH),
          Map.entry("month", Unit.MONTH),
          Map.entry("months", Unit.MONTH),
          Map.entry("y", Unit.YEAR),
          Map.entry("year", Unit.YEAR),
          Map.entry("years", Unit.YEAR));

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

  private static Optional<Amount> of(String n, String unit) {
    Unit known = UNITS.get(unit.length() == 1 ? unit : unit.toLowerCase(Locale.ROOT));
    try {
      return Optional.ofNullable(known).map(u -> new Amount(Long.parseLong(n), u));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static Amount part(String text, String fraction, Unit unit) {
    if (unit.compareTo(Unit.HOUR) > 0) {
      throw new InvalidValueException(
          Quoted.of(text) + " has a fraction of a calendar unit; hours and less may have one",
          "PT36H");
    }
    try {
      long unitMs = TimeUnit.valueOf(unit.name() + "S").toMillis(1);
      BigDecimal part = new BigDecimal("0" + fraction).multiply(BigDecimal.valueOf(unitMs));
      return new Amount(part.longValueExact(), Unit.MILLISECOND);
    } catch (ArithmeticException e) {
      throw new InvalidValueException(Quoted.of(text) + " is finer than a millisecond", "PT0.001S");
    }
  }

  private static boolean descends(List<Amount> before, Unit next) {
    return before.isEmpty() || next.compareTo(before.get(before.size() - 1).unit()) < 0;
  }
}
