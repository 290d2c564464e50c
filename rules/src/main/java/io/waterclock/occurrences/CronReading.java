package io.waterclock.occurrences;

import io.waterclock.occurrences.core.InvalidTriggerException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What an expression means to one dialect.
 *
 * @param words as {@link Description}, without a time zone
 */
public record CronReading(CronDialect dialect, String words) {

  /** All but Jenkins, whose aliases depend on the id. */
  private static final Set<CronDialect> ASKED =
      EnumSet.complementOf(EnumSet.of(CronDialect.JENKINS));

  /** After 28 years every date has fallen on every weekday. */
  private static final int DAYS = 28 * 366;

  private static final long FIRST_DAY = LocalDate.of(2024, 1, 1).toEpochDay();

  /**
   * Our reading of an expression and those of other dialects on other days or at other times. Empty
   * if all that can read it agree, and if we cannot. Costs a few milliseconds.
   */
  public static List<CronReading> differing(String expression) {
    Optional<Trigger> ours = read(expression, CronDialect.WATERCLOCK);
    List<CronReading> readings = new ArrayList<>();
    for (CronDialect other : ASKED) {
      String text = completed(expression, other);
      read(text, other)
          .filter(theirs -> ours.isPresent() && !agree(ours.get(), theirs))
          .ifPresent(theirs -> readings.add(new CronReading(other, words(theirs))));
    }
    if (!readings.isEmpty()) {
      readings.add(0, new CronReading(CronDialect.WATERCLOCK, words(ours.orElseThrow())));
    }
    return readings;
  }

  /** Five fields with signs of Quartz are Quartz without seconds. */
  private static String completed(String expression, CronDialect dialect) {
    return dialect == CronDialect.QUARTZ && CronText.words(expression).size() == 5
        ? "0 " + expression
        : expression;
  }

  private static Optional<Trigger> read(String expression, CronDialect dialect) {
    try {
      return Optional.of(Cron.parse(expression, dialect, ZoneOffset.UTC));
    } catch (InvalidTriggerException e) {
      return Optional.empty();
    }
  }

  private static String words(Trigger trigger) {
    String words = Description.of(trigger);
    return words.replace(", " + ZoneOffset.UTC, "");
  }

  /** Compares the last occurrence of each day, because all dialects read times of day alike. */
  private static boolean agree(Trigger one, Trigger other) {
    for (long day = FIRST_DAY; day < FIRST_DAY + DAYS; day++) {
      Instant end = Instant.ofEpochSecond((day + 1) * 86_400).minusMillis(1);
      if (!one.lastAtOrBefore(end).equals(other.lastAtOrBefore(end))) {
        return false;
      }
    }
    return true;
  }
}
