package io.waterclock.occurrences.core;

/**
 * An invalid trigger: the field, its problem and a valid example. The only exception that defining
 * a trigger throws.
 */
public final class InvalidTriggerException extends IllegalArgumentException {

  private final String field;
  private final String problem;
  private final String example;
  private final boolean neverOccurs;

  public InvalidTriggerException(String field, String problem, String example) {
    this(field, problem, example, false);
  }

  private InvalidTriggerException(
      String field, String problem, String example, boolean neverOccurs) {
    super(problem + "; e.g. \"" + example + "\"");
    this.field = field;
    this.problem = problem;
    this.neverOccurs = neverOccurs;
    this.example = example;
  }

  /** The field of a schedule that is wrong: {@code cron}, {@code every}, {@code at}, ... */
  public String field() {
    return field;
  }

  /** A trigger that is well written but names no instant at all, such as the 30th of February. */
  public static InvalidTriggerException neverOccurring(
      String field, String problem, String example) {
    return new InvalidTriggerException(field, problem, example, true);
  }

  /** True when the trigger is well written but names no instant at all. */
  public boolean neverOccurs() {
    return neverOccurs;
  }

  /** The problem, without the example. */
  public String problem() {
    return problem;
  }

  /** A value that the field would accept. */
  public String example() {
    return example;
  }
}
