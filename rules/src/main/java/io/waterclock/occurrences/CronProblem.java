package io.waterclock.occurrences;

import io.waterclock.occurrences.core.InvalidTriggerException;

/** Rejections of a cron expression. */
final class CronProblem {

  private static final String EXAMPLE = "0 9 * * 1-5";

  private CronProblem() {}

  static InvalidTriggerException of(String problem) {
    return new InvalidTriggerException("cron", problem, EXAMPLE);
  }

  static InvalidTriggerException neverOccurs(String problem) {
    return InvalidTriggerException.neverOccurring("cron", problem, EXAMPLE);
  }

  static InvalidTriggerException in(CronField field, String problem) {
    return of(field.title() + ": " + problem);
  }
}
