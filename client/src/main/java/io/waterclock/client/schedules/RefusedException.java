package io.waterclock.client.schedules;

import io.waterclock.client.WaterclockException;
import io.waterclock.schemas.text.Problems;

/** The scheduler has refused a change. The message contains all reasons. */
public final class RefusedException extends WaterclockException {
  private static final long serialVersionUID = 1L;

  private final transient Answer answer;

  RefusedException(Answer answer) {
    super(message(answer));
    this.answer = answer;
  }

  /** {@link Answer.Rejected}, {@link Answer.Conflict} or {@link Answer.NotFound}. */
  public Answer answer() {
    return answer;
  }

  private static String message(Answer answer) {
    String id = answer.scheduleId();
    if (answer instanceof Answer.Rejected rejected) {
      return id + " was rejected: " + Problems.text(rejected.problems());
    }
    if (answer instanceof Answer.Conflict conflict) {
      return id + " is not as expected: " + Problems.text(conflict.problems());
    }
    return "there is no schedule " + id;
  }
}
