package io.waterclock.occurrences;

/**
 * A trigger that cannot be: what is wrong with which field, and what would be right. The only
 * exception that defining a trigger throws.
 */
public final class InvalidTriggerException extends IllegalArgumentException {

  private final String field;
  private final String problem;
  private final String example;

  public InvalidTriggerException(String field, String problem, String example) {
    super(problem + "; e.g. \"" + example + "\"");
    this.field = field;
    this.problem = problem;
    this.example = example;
  }

  /** The field of a schedule that is wrong: {@code cron}, {@code every}, {@code at}, ... */
  public String field() {
    return field;
  }

  /** What is wrong, without the example. */
  public String problem() {
    return problem;
  }

  /** A value that the field would accept. */
  public String example() {
    return example;
  }
}
