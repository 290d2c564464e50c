package io.waterclock.occurrences;

/** Words for what is wrong with a recurrence rule. */
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

  static InvalidTriggerException neverOccurs(String problem) {
    return InvalidTriggerException.neverOccurring(FIELD, problem, EXAMPLE);
  }
}
