package io.waterclock.occurrences;

import java.util.Locale;

/**
 * Whose cron an expression is written in. Each dialect is a translation to ours: the reader numbers
 * weekdays, combines the two day fields and bounds the years as the other scheduler does, and
 * refuses what has no equal. Clock changes follow our rules in every dialect; see {@link Cron}.
 */
public enum CronDialect {
  /** Ours: see {@link Cron}. */
  WATERCLOCK("Waterclock", "0 9 * * 1-5"),

  /**
   * Quartz: six fields with seconds first, and perhaps years; weekdays are 1 (Sunday) to 7; exactly
   * one day field is {@code ?}.
   */
  QUARTZ("Quartz", "0 0 9 ? * MON-FRI"),

  /**
   * Spring's CronExpression: six fields with seconds first, or an alias; a day must match both day
   * fields.
   */
  SPRING("Spring", "0 0 9 * * MON-FRI"),

  /**
   * Amazon EventBridge: {@code cron(0 9 ? * MON-FRI *)}, with or without the word; six fields
   * without seconds and with years; weekdays and {@code ?} as in Quartz.
   */
  AWS("EventBridge", "cron(0 9 ? * MON-FRI *)"),

  /** A crontab: five fields of numbers, names, ranges and steps, or an alias. */
  UNIX("crontab", "0 9 * * 1-5"),

  /**
   * robfig/cron version 3, which Kubernetes uses: five fields, or an alias. A star with a step
   * above 1 restricts a day field; a star anywhere in its list does not.
   */
  ROBFIG("Kubernetes", "0 9 * * 1-5"),

  /**
   * croniter of Python: five fields, or an alias; L in the day of month, FRI#3 and L5. A star
   * restricts a day field unless it is an element by itself, or the field names all days and the
   * other one has a star.
   */
  CRONITER("croniter", "0 9 * * 1-5"),

  /**
   * fugit of Ruby: five fields, six with seconds first, or an alias. A star restricts a day field
   * unless it is an element by itself. The readers of definitions take a zone from its end.
   */
  FUGIT("fugit", "0 9 * * 1-5"),

  /**
   * Jenkins: five fields of numbers, ranges, steps and H, or an alias; a day must match both day
   * fields. See {@link JenkinsCron} for H.
   */
  JENKINS("Jenkins", "H 9 * * 1-5");

  private final String title;
  private final String example;

  CronDialect(String title, String example) {
    this.title = title;
    this.example = example;
  }

  /** Who reads it, in words. */
  public String title() {
    return title;
  }

  /** Its name in a definition. */
  String symbol() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** An expression of this dialect. */
  public String example() {
    return example;
  }

  boolean hasSeconds() {
    return this == QUARTZ || this == SPRING;
  }

  /** Whether its fields have values, names, ranges and steps only. */
  boolean isPlain() {
    return this == UNIX || this == JENKINS || restrictsByStep();
  }

  /** Whether a star with a step restricts a day field. */
  boolean restrictsByStep() {
    return this == ROBFIG || this == CRONITER || this == FUGIT;
  }

  /** Whether a day must match both day fields whatever they begin with. */
  boolean needsBothDays() {
    return this == SPRING || this == JENKINS;
  }

  /** Whether a step may only stand behind a star or a range. */
  boolean stepsThroughRanges() {
    return this == UNIX || this == JENKINS;
  }

  /** Whether a range may run round the end of its field. */
  boolean hasRoundRanges() {
    return isOfQuartz() || this == CRONITER || this == FUGIT;
  }

  /** Whether Sunday is 1 and Saturday 7, and one day field has to be a question mark. */
  boolean isOfQuartz() {
    return this == QUARTZ || this == AWS;
  }
}
