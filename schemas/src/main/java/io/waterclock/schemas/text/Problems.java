package io.waterclock.schemas.text;

import io.waterclock.schemas.avro.Problem;
import java.util.List;
import java.util.stream.Collectors;

/** Problems as text for people. */
public final class Problems {
  private Problems() {}

  /**
   * One problem on one line: {@code grace: "5x" is not a duration; for example "grace": "PT1M"}.
   */
  public static String text(Problem problem) {
    String field = problem.getField().isEmpty() ? "" : problem.getField() + ": ";
    String example = problem.getExample() == null ? "" : "; for example " + problem.getExample();
    return SafeText.line(field + problem.getMessage() + example);
  }

  /** All on one line. */
  public static String text(List<Problem> problems) {
    return problems.stream().map(Problems::text).collect(Collectors.joining(" | "));
  }
}
