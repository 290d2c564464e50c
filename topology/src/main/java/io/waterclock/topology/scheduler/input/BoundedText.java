package io.waterclock.topology.scheduler.input;

import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.text.Problems;
import io.waterclock.schemas.text.SafeText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Truncates text from records to a length that always fits an answer and a status. */
public final class BoundedText {
  private static final int MOST_PROBLEMS = 50;
  private static final int LONGEST = 1_000;

  private BoundedText() {}

  /** The first fifty problems, each part with at most a thousand characters. */
  public static List<Problem> problems(List<Problem> problems) {
    List<Problem> result = new ArrayList<>();
    for (Problem problem : problems.subList(0, Math.min(MOST_PROBLEMS, problems.size()))) {
      Problem.Builder shortened =
          Problem.newBuilder()
              .setField(text(problem.getField()))
              .setMessage(text(problem.getMessage()));
      Optional.ofNullable(problem.getExample())
          .map(BoundedText::text)
          .ifPresent(shortened::setExample);
      result.add(shortened.build());
    }
    int left = problems.size() - MOST_PROBLEMS;
    if (left > 0) {
      result.add(Problems.of("", "and " + left + " more problems"));
    }
    return result;
  }

  /** The text as one line, cut after a thousand characters. */
  public static String text(String text) {
    return SafeText.line(SafeText.cut(text, LONGEST));
  }
}
