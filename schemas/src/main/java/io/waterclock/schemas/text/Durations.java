package io.waterclock.schemas.text;

import io.waterclock.schemas.avro.Unit;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
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
    long ms = 0;
    for (Amount amount : Amount.parse(text).orElseThrow(() -> notADuration(text))) {
      if (amount.unit().compareTo(Unit.DAY) > 0) {
        throw new InvalidValueException(
            Quoted.of(text) + " has a unit without a fixed length; days are the longest", "7d");
      }
      ms = Math.addExact(ms, amount.ms());
    }
    return Duration.ofMillis(ms);
  }

  private static InvalidValueException notADuration(String text) {
    return new InvalidValueException(
        Quoted.of(text)
            + " is not a duration: an ISO-8601 duration, or a number and one of ms, s, min, h, d",
        EXAMPLE);
  }
}
