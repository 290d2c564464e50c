package io.waterclock.decide.model;

import io.waterclock.schemas.text.SafeText;
import java.time.Instant;
import java.util.Optional;

/**
 * That so many fires of a schedule have failed in a row that a person should look at it.
 *
 * @param since when the report was read that made them enough
 * @param count how many in a row
 * @param occurrence the latest of those whose reports were read since then
 * @param reportedAt when its failure was reported
 * @param error why it failed, in about {@link #LONGEST_ERROR} characters at most
 */
public record Failing(
    Instant since, long count, Instant occurrence, Instant reportedAt, Optional<String> error) {
  /** Of an error, in characters. */
  public static final int LONGEST_ERROR = 500;

  /** After one more failure. */
  static Failing after(
      Optional<Failing> before, long count, Event.Reported report, Instant readAt) {
    Instant since = before.map(Failing::since).orElse(readAt);
    return before
        .filter(known -> known.occurrence().isAfter(report.occurrence()))
        .map(known -> known.counting(count))
        .orElseGet(
            () ->
                new Failing(
                    since,
                    count,
                    report.occurrence(),
                    report.effectiveBy(readAt),
                    report.error().map(text -> SafeText.cut(text, LONGEST_ERROR))));
  }

  Failing counting(long number) {
    return new Failing(since, number, occurrence, reportedAt, error);
  }

  /**
   * Whether a person should hear of it again: when it begins, and whenever the number has doubled.
   *
   * @param first the number at which it begins
   */
  public boolean isNews(int first) {
    return count % first == 0 && Long.bitCount(count / first) == 1;
  }
}
