package io.waterclock.schemas.text;

import io.waterclock.schemas.avro.Unit;
import java.util.Locale;

/**
 * The distance between two occurrences of a grid.
 *
 * @param n how many units; at least 1 in what {@link #parse} gives
 */
public record Interval(long n, Unit unit) {
  /**
   * Reads an interval.
   *
   * @throws InvalidValueException if the text is none
   * @see Intervals#parse
   */
  public static Interval parse(String text) {
    return Intervals.parse(text);
  }

  /**
   * The shortest form that reads as the same interval: {@code PT5M}, {@code P1M}, {@code 90
   * minutes}.
   */
  public String text() {
    String iso =
        switch (unit) {
          case MILLISECOND, SECOND, MINUTE, HOUR -> Intervals.exactText(this);
          case DAY -> "P" + n + "D";
          case WEEK -> "P" + n + "W";
          case MONTH -> "P" + n + "M";
          case YEAR -> "P" + n + "Y";
        };
    return iso.isEmpty()
        ? n + " " + unit.name().toLowerCase(Locale.ROOT) + (n == 1 ? "" : "s")
        : iso;
  }
}
