package io.waterclock.cli.terminal;

import io.waterclock.schemas.text.Durations;
import io.waterclock.schemas.text.Instants;
import io.waterclock.schemas.text.InvalidValueException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.regex.Pattern;

/**
 * The times that people type: {@code 2026-11-21T09:00:00Z}, a local time or a date in a zone,
 * {@code now}, or a duration such as {@code 90m}, which counts from now.
 */
public enum TimeText {
  /** A duration is that long ago. */
  AGO,

  /** A duration is that far ahead. */
  AHEAD;

  private static final Pattern DATE = Pattern.compile("\\d{4}-\\d\\d-\\d\\d");

  /**
   * Reads a time.
   *
   * @param zone of a local time and of a date
   */
  public Instant parse(String option, String text, ZoneId zone, Instant now) {
    try {
      return text.strip().equalsIgnoreCase("now") ? now : Instants.parse(iso(text, now), zone);
    } catch (InvalidValueException e) {
      throw new WrongUsage(
          ("%s must be an instant such as 2026-03-29T00:00:00Z, a date such as"
                  + " 2026-03-29, or a duration such as 90m, not \"%s\".")
              .formatted(option, text));
    }
  }

  /** A date as its midnight, and a duration as an instant; any other text as it is. */
  public String iso(String text, Instant now) {
    try {
      Duration distance = Durations.parse(text);
      return (this == AGO ? now.minus(distance) : now.plus(distance)).toString();
    } catch (InvalidValueException | DateTimeException | ArithmeticException e) {
      return midnight(text);
    }
  }

  /** A date as its midnight; any other text as it is. */
  static String midnight(String text) {
    String trimmed = text.strip();
    return DATE.matcher(trimmed).matches() ? trimmed + "T00:00:00" : text;
  }
}
