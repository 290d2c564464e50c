package io.waterclock.schemas.text;

import io.waterclock.schemas.avro.Problem;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes problems, and puts them into words for people. */
public final class Problems {
  private Problems() {}

  /**
   * A problem without an example.
   *
   * @param field empty when the problem is not about one field
   */
  public static Problem of(String field, String message) {
    return of(field, message, null);
  }

  /**
   * A problem with an example of a correct value.
   *
   * @param field empty when the problem is not about one field
   */
  public static Problem of(String field, String message, @Nullable String example) {
    return Problem.newBuilder().setField(field).setMessage(message).setExample(example).build();
  }

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
