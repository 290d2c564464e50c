package io.waterclock.schemas.text;

import io.waterclock.schemas.avro.DateRange;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;

/**
 * Ranges of dates as text: {@code 2026-12-25}, or an ISO 8601 interval of dates, both inclusive:
 * {@code 2026-12-24/2027-01-01}.
 */
public final class Dates {
  private static final String EXAMPLE = "2026-12-24/2027-01-01";

  private Dates() {}

  /** A date that is a range of its own is written once. */
  public static String text(DateRange range) {
    return range.getFirst().equals(range.getLast())
        ? range.getFirst().toString()
        : range.getFirst() + "/" + range.getLast();
  }

  /**
   * Reads one date or two. Whether they are in order is not judged here.
   *
   * @throws InvalidValueException if the text is neither
   */
  public static DateRange parse(String text) {
    int slash = text.indexOf('/');
    LocalDate first = date(slash < 0 ? text : text.substring(0, slash), text);
    return new DateRange(first, slash < 0 ? first : date(text.substring(slash + 1), text));
  }

  private static LocalDate date(String part, String text) {
    try {
      return LocalDate.parse(part.strip());
    } catch (DateTimeParseException e) {
      throw new InvalidValueException(
          Quoted.of(text) + " is neither a date nor two dates with a slash between them", EXAMPLE);
    }
  }
}
