package io.waterclock.occurrences;

import io.waterclock.occurrences.core.InvalidTriggerException;

/** Rejections of a cron expression. */
final class CronProblem {

  private static final String EXAMPLE = CronDialect.WATERCLOCK.example();

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

  /** The same with an example of the dialect, if it has none of its own. */
  static InvalidTriggerException in(CronDialect dialect, InvalidTriggerException problem) {
    return problem.example().equals(EXAMPLE) ? problem.withExample(dialect.example()) : problem;
  }
}
