package io.waterclock.client.schedules;

import java.util.Map;

/**
 * The outcome of a change to many schedules.
 *
 * @param answers of the scheduler, by the ids of the schedules
 * @param failures why there is no answer, by the ids of the other schedules
 */
public record BulkResult(Map<String, Answer> answers, Map<String, Throwable> failures) {
  public BulkResult {
    answers = Map.copyOf(answers);
    failures = Map.copyOf(failures);
  }

  /** Whether the scheduler has accepted every change. */
  public boolean isAccepted() {
    return failures.isEmpty()
        && answers.values().stream().allMatch(Answer.Accepted.class::isInstance);
  }
}
