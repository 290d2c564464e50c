package io.waterclock.occurrences;

import io.waterclock.occurrences.core.InvalidTriggerException;
import java.time.ZoneId;

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
  UNIX("crontab", "0 9 * * 1-5");

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

  /** An expression of this dialect. */
  public String example() {
    return example;
  }

  /**
   * The trigger: a {@link Cron}, within bounds if the expression names years.
   *
   * @throws InvalidTriggerException if the expression is wrong, names no day that exists, or has no
   *     equal
   */
  public Trigger parse(String expression, ZoneId zone) {
    return Cron.parse(expression, this, zone);
  }

  /**
   * The expression in our own form. Where days must match both day fields and neither begins with a
   * star, or where it names years, our form says less: see {@link #needsDialect}.
   *
   * @throws InvalidTriggerException as {@link #parse}
   */
  public String translated(String expression) {
    CronText text = CronTranslator.read(expression, this);
    return String.join(" ", text.fields().values());
  }

  /**
   * Whether our own form cannot express this.
   *
   * @throws InvalidTriggerException as {@link #parse}
   */
  public boolean needsDialect(String expression) {
    CronText text = CronTranslator.read(expression, this);
    boolean either = !text.isStar(CronField.DAY_OF_MONTH) && !text.isStar(CronField.DAY_OF_WEEK);
    return (either && text.everyDayRule()) || !text.years().equals(CronYears.ALL);
  }

  boolean hasSeconds() {
    return this == QUARTZ || this == SPRING;
  }

  /** Whether Sunday is 1 and Saturday 7, and one day field has to be a question mark. */
  boolean isOfQuartz() {
    return this == QUARTZ || this == AWS;
  }
}
