package io.waterclock.console.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.client.schedules.Answer;
import io.waterclock.console.jobs.FailureText;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.brokers.RootCause;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.schemas.text.Problems;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** The scheduler's answers as answers of the console. */
final class AnswerJson {
  private static final Logger LOG = SafeLogger.of(AnswerJson.class);

  private AnswerJson() {}

  static HttpAnswer of(@Nullable Answer answer, @Nullable Throwable failure) {
    if (failure != null || answer == null) {
      return HttpAnswer.problem(504, "No answer", reason(failure));
    }
    ObjectNode tree = JsonNodeFactory.instance.objectNode().put("id", answer.scheduleId());
    answer.revision().ifPresent(revision -> tree.put("revision", revision));
    if (answer instanceof Answer.Accepted accepted) {
      tree.put("verdict", accepted.isChange() ? "EXECUTED" : "UNCHANGED");
      accepted.state().ifPresent(state -> tree.put("state", state.name()));
      accepted.next().ifPresent(next -> tree.put("next", next.toString()));
      accepted.commandId().ifPresent(command -> tree.put("command_id", command));
      return HttpAnswer.json(tree);
    }
    if (answer instanceof Answer.NotFound) {
      return HttpAnswer.problem(404, "Not found", "There is no schedule " + answer.scheduleId());
    }
    boolean isConflict = answer instanceof Answer.Conflict;
    List<Problem> problems =
        answer instanceof Answer.Rejected rejected
            ? rejected.problems()
            : answer instanceof Answer.Conflict conflict ? conflict.problems() : List.of();
    tree.put("title", isConflict ? "Conflict" : "Rejected").put("status", isConflict ? 409 : 422);
    tree.put("detail", Problems.text(problems));
    add(problems, tree.putArray("problems"));
    return HttpAnswer.json(isConflict ? 409 : 422, tree);
  }

  static void add(List<Problem> problems, ArrayNode list) {
    for (Problem problem : problems) {
      list.addObject()
          .put("field", problem.getField())
          .put("message", problem.getMessage())
          .put("example", problem.getExample());
    }
  }

  private static String reason(@Nullable Throwable failure) {
    if (failure == null) {
      return "The scheduler has not answered.";
    }
    LOG.warn("A change has no answer: {}", RootCause.of(failure));
    return FailureText.of(failure);
  }
}
