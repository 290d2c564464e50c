package io.waterclock.cli.source;

import java.time.Instant;

/**
 * An occurrence of one side only.
 *
 * @param ours whether it is ours; else the other scheduler's
 * @param reason the known rule that explains it
 */
public record Difference(Instant at, boolean ours, Reason reason) {
  /** Why two schedulers differ. */
  public enum Reason {
    /** The clocks of the zone change, and each scheduler has a rule of its own for that. */
    CLOCK_CHANGE("a clock change, for which each scheduler has its own rule"),

    /** Quartz misses a day to which W moves forward, and finds one time of a day of W only. */
    QUARTZ_WORKDAY("Quartz can miss a day of W, and fires once on it whatever times are named"),

    /** Quartz searches no further than a hundred years ahead. */
    QUARTZ_END("Quartz stops a hundred years from now"),

    /** Spring skips a Sunday at the end of a month, and finds 30W in a February of 29 days. */
    SPRING_WORKDAY("Spring moves W in another way at the end of a month"),

    /** Spring counts L-30 back from a shorter month into the one before. */
    SPRING_LAST("Spring counts L-28 and more back into the month before"),

    /** Spring looks ahead for a limited number of steps. */
    SPRING_END("Spring stops searching"),

    /** cron-utils matches either day field where one begins with a star; cron matches both. */
    CRON_UTILS_STAR("cron-utils reads */n in a day field in another way than cron"),

    /** cron-utils begins the week on another day than Spring. */
    CRON_UTILS_WEEK("cron-utils reads steps and ranges from Sunday in another way than Spring"),

    /** cron-utils moves the days of W to other days than Spring, or fails on them. */
    CRON_UTILS_WORKDAY("cron-utils reads W in another way than Spring"),

    /** cron-utils looks ahead for a limited number of years. */
    CRON_UTILS_END("cron-utils stops searching some hundred years from now"),

    /** No known rule explains it. */
    UNKNOWN("unexplained");

    private final String words;

    Reason(String words) {
      this.words = words;
    }

    public String words() {
      return words;
    }
  }
}
