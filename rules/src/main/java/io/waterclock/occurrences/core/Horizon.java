package io.waterclock.occurrences.core;

import java.time.Instant;

/**
 * The time in which occurrences exist: the years 0000 to 9999 in UTC, those that ISO 8601 writes
 * with four digits.
 *
 * <p>Callers may use any instant. The horizon clamps it, so that no arithmetic after that can
 * overflow.
 */
public final class Horizon {

  public static final long FIRST_SECOND = Instant.parse("0000-01-01T00:00:00Z").getEpochSecond();
  public static final long LAST_SECOND = Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();
  public static final long LAST_MS = LAST_SECOND * 1000 + 999;

  private Horizon() {}

  /** The millisecond in which {@code t} lies, or one just before the horizon, or its last. */
  public static long clampMs(Instant t) {
    return t.getEpochSecond() > LAST_SECOND
        ? LAST_MS
        : clampSecond(t) * 1000 + t.getNano() / 1_000_000;
  }

  /** The second in which {@code t} lies, or the one before the horizon, or its last. */
  public static long clampSecond(Instant t) {
    return Math.max(FIRST_SECOND - 1, Math.min(LAST_SECOND, t.getEpochSecond()));
  }

  /**
   * @param field of the trigger that has the instant
   * @throws InvalidTriggerException if the instant lies outside
   */
  public static void require(String field, Instant t, String example) {
    if (t.getEpochSecond() < FIRST_SECOND || t.getEpochSecond() > LAST_SECOND) {
      throw new InvalidTriggerException(field, t + " lies outside the years 0000 to 9999", example);
    }
  }
}
