package io.waterclock.occurrences.search;

import io.waterclock.occurrences.core.Effort;
import io.waterclock.occurrences.core.InvalidTriggerException;
import java.time.Instant;

final class RRuleProblem {

  private static final String FIELD = "rrule";
  private static final String EXAMPLE = "FREQ=MONTHLY;BYDAY=-1FR";

  private RRuleProblem() {}

  static InvalidTriggerException of(String problem) {
    return new InvalidTriggerException(FIELD, problem, EXAMPLE);
  }

  static InvalidTriggerException in(RRulePart part, String problem) {
    return new InvalidTriggerException(FIELD, part + ": " + problem, part.example());
  }

  static InvalidTriggerException tooSeldom(Instant after) {
    return in(
        RRulePart.INTERVAL,
        ("takes more than %s steps to find the first occurrence after %s; it meets the"
                + " other parts too seldom, so take one that divides an hour, a day or a week, or an"
                + " anchor that is an occurrence")
            .formatted(Effort.DECISION, after));
  }

  static InvalidTriggerException neverOccurs(String problem) {
    return InvalidTriggerException.neverOccurring(FIELD, problem, EXAMPLE);
  }
}
