package io.waterclock.cli.terminal;

import java.time.Duration;

/** Durations for people. */
public final class DurationText {
  private DurationText() {}

  /**
   * The two largest units: {@code 3 d 4 h}, {@code 5 min}, {@code 12 s}.
   *
   * @param span not negative; fractions of a second are cut off
   */
  public static String text(Duration span) {
    if (span.toDays() > 0) {
      return pair(span.toDays(), "d", span.toHoursPart(), "h");
    }
    if (span.toHours() > 0) {
      return pair(span.toHours(), "h", span.toMinutesPart(), "min");
    }
    return span.toMinutes() > 0
        ? pair(span.toMinutes(), "min", span.toSecondsPart(), "s")
        : span.toSeconds() + " s";
  }

  private static String pair(long large, String largeUnit, int small, String smallUnit) {
    return large + " " + largeUnit + (small == 0 ? "" : " " + small + " " + smallUnit);
  }
}
