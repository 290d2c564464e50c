package io.waterclock.schemas.text;

import io.waterclock.schemas.avro.Unit;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/**
 * Reads lengths of time: ISO-8601 durations ({@code PT90S}) and numbers with a unit ({@code 90s},
 * {@code 1h30m}, {@code 0.2s}). A day is 24 hours here; longer units have no fixed length and are
 * refused.
 */
public final class Durations {
  private static final String EXAMPLE = "PT90S";

  private Durations() {}

  /**
   * Reads a duration of zero or more, in whole milliseconds that fit a long.
   *
   * @throws InvalidValueException if the text is none
   */
  public static Duration parse(String text) {
    String trimmed = text.strip();
    try {
      return trimmed.toUpperCase(Locale.ROOT).startsWith("P") ? iso(trimmed) : plain(trimmed);
    } catch (ArithmeticException e) {
      throw new InvalidValueException(Quoted.of(text) + " is too long", EXAMPLE);
    }
  }

  private static Duration iso(String text) {
    Duration duration;
    try {
      duration = Duration.parse(text);
    } catch (DateTimeParseException e) {
      throw notADuration(text);
    }
    if (duration.isNegative()) {
      throw new InvalidValueException(Quoted.of(text) + " is below zero", EXAMPLE);
    }
    if (!duration.truncatedTo(ChronoUnit.MILLIS).equals(duration)) {
      throw new InvalidValueException(Quoted.of(text) + " is finer than a millisecond", "PT0.001S");
    }
    return Duration.ofMillis(duration.toMillis());
  }

  private static Duration plain(String text) {
    List<Amount> amounts = Amount.parse(text).orElseThrow(() -> notADuration(text));
    Duration sum = Duration.ZERO;
    for (Amount amount : amounts) {
      if (amount.unit().compareTo(Unit.DAY) > 0) {
        throw new InvalidValueException(
            Quoted.of(text) + " has a unit without a fixed length; days are the longest", "7d");
      }
      sum = sum.plus(exact(amount));
    }
    return Duration.ofMillis(sum.toMillis());
  }

  private static Duration exact(Amount amount) {
    return switch (amount.unit()) {
      case MILLISECOND -> Duration.ofMillis(amount.n());
      case SECOND -> Duration.ofSeconds(amount.n());
      case MINUTE -> Duration.ofMinutes(amount.n());
      case HOUR -> Duration.ofHours(amount.n());
      default -> Duration.ofDays(amount.n());
    };
  }

  private static InvalidValueException notADuration(String text) {
    return new InvalidValueException(
        Quoted.of(text)
            + " is not a duration: an ISO-8601 duration, or a number and one of ms, s, min, h, d",
        EXAMPLE);
  }
}
