package io.waterclock.console.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.client.schedules.Answer;
import io.waterclock.client.schedules.ScheduleCommand;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.console.access.Access;
import io.waterclock.console.access.Role;
import io.waterclock.schemas.SafeLogger;
import io.waterclock.schemas.avro.Problem;
import io.waterclock.schemas.text.Problems;
import io.waterclock.schemas.text.SafeText;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Turns requests into ordinary commands. The identity becomes the author of a pause and a resume,
 * and part of every command id ({@code console:NAME:UUID}), which histories and manual fires show.
 * Thread-safe.
 */
final class Actions {
  private static final Logger LOG = SafeLogger.of(Actions.class);
  private static final int LONGEST_NOTE = 1_000;
  private static final Set<String> NAMES =
      Set.of("pause", "resume", "trigger", "skip", "unskip", "backfill");

  private final Schedules schedules;

  Actions(Schedules schedules) {
    this.schedules = schedules;
  }

  /**
   * Sends a command.
   *
   * @param request {@code id}, {@code action} and what the action needs
   * @throws BadRequestException if it is not allowed or not complete
   */
  CompletableFuture<HttpAnswer> send(JsonNode request, Access access) {
    String id = text(request, "id").orElseThrow(() -> new BadRequestException("id is missing"));
    String action = text(request, "action").orElse("");
    if (!NAMES.contains(action)) {
      throw new BadRequestException("action must be one of " + NAMES.stream().sorted().toList());
    }
    if (!access.may(Role.OPERATOR, id)) {
      throw new BadRequestException(
          403, access.name() + " is no operator of " + id + ", so it may not " + action + " it.");
    }
    ScheduleCommand command = command(action, request, access.name()).withId(commandId(access));
    Optional<String> expected = text(request, "expected_revision");
    if (expected.isPresent()) {
      command = command.expecting(expected.get());
    }
    LOG.info("{}: {} {} ({})", access.name(), action, id, command.id());
    return schedules.command(id, command).handle((answer, failure) -> answer(answer, failure));
  }

  private static String commandId(Access access) {
    return "console:" + SafeText.line(access.name()) + ":" + UUID.randomUUID();
  }

  private static ScheduleCommand command(String action, JsonNode request, String author) {
    String note = text(request, "note").orElse("");
    if (note.length() > LONGEST_NOTE) {
      throw new BadRequestException("note has more than " + LONGEST_NOTE + " characters");
    }
    try {
      return switch (action) {
        case "pause" -> ScheduleCommand.pause(note, author);
        case "resume" -> ScheduleCommand.resume(note, author);
        case "trigger" -> ScheduleCommand.trigger();
        case "skip" -> ScheduleCommand.skip(instant(request, "occurrence"));
        case "unskip" -> ScheduleCommand.unskip(instant(request, "occurrence"));
        default -> ScheduleCommand.backfill(instant(request, "from"), instant(request, "to"));
      };
    } catch (IllegalArgumentException e) {
      throw new BadRequestException(String.valueOf(e.getMessage()));
    }
  }

  private static Instant instant(JsonNode request, String field) {
    try {
      return Instant.parse(text(request, field).orElse(""));
    } catch (DateTimeException e) {
      throw new BadRequestException(
          field + " must be an instant such as 2026-11-24T09:00:00Z, not " + request.path(field));
    }
  }

  private static Optional<String> text(JsonNode request, String field) {
    return Optional.of(request.path(field))
        .filter(JsonNode::isTextual)
        .map(JsonNode::asText)
        .filter(value -> !value.isEmpty());
  }

  private static HttpAnswer answer(@Nullable Answer answer, @Nullable Throwable failure) {
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
    ArrayNode list = tree.putArray("problems");
    for (Problem problem : problems) {
      list.addObject()
          .put("field", problem.getField())
          .put("message", problem.getMessage())
          .put("example", problem.getExample());
    }
    return HttpAnswer.json(isConflict ? 409 : 422, tree);
  }

  private static String reason(@Nullable Throwable failure) {
    return failure == null
        ? "The scheduler has not answered."
        : String.valueOf(
            failure.getCause() == null ? failure.getMessage() : failure.getCause().getMessage());
  }
}
