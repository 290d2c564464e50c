package io.waterclock.spring;

import java.util.List;

/** The annotations of the application's handlers and schedules are wrong; it does not start. */
public final class InvalidAnnotationsException extends RuntimeException {
  private final List<String> problems;

  /**
   * @param problems all of them, each with the method and with what would be right
   */
  public InvalidAnnotationsException(List<String> problems) {
    super("Waterclock's annotations have problems: " + String.join("; ", problems));
    this.problems = List.copyOf(problems);
  }

  /** All problems. */
  public List<String> problems() {
    return problems;
  }
}
