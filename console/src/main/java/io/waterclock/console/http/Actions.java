package io.waterclock.console.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.waterclock.client.schedules.ScheduleCommand;
import io.waterclock.client.schedules.Schedules;
import io.waterclock.console.access.Access;
import io.waterclock.console.access.Role;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.schemas.text.SafeText;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;

/**
 * Turns requests into ordinary commands. The identity becomes the author of each, and part of its
 * id ({@code console:NAME:UUID}), which manual fires show. Thread-safe.
 */
record Actions(Schedules schedules, ChangeOutbox sender) {
  private static final Logger LOG = SafeLogger.of(Actions.class);
  private static final int LONGEST_NOTE = 1_000;
  private static final Set<String> NAMES =
      Set.of("pause", "resume", "trigger", "skip", "unskip", "backfill", "cancel_backfill");

  /**
   * Sends a command.
   *
   * @param request {@code id}, {@code action} and what the action needs
   * @throws BadRequestException if it is not allowed or not complete
   */
  CompletableFuture<HttpAnswer> send(JsonRequest request, Access access) {
    String id = ScheduleId.parse(request.required("id")).value();
    String action = request.text("action").orElse("");
    if (!NAMES.contains(action)) {
      throw new BadRequestException("action must be one of " + NAMES.stream().sorted().toList());
    }
    if (!access.may(Role.OPERATOR, id)) {
      throw new BadRequestException(
          403, access.name() + " is no operator of " + id + ", so it may not " + action + " it.");
    }
    ScheduleCommand plain = command(action, request, access.name()).withId(commandId(access));
    ScheduleCommand command = request.text("expected_revision").map(plain::expecting).orElse(plain);
    LOG.info("{}: {} {} ({})", access.name(), action, id, command.id());
    return sender.send(() -> schedules.command(id, command)).handle(AnswerJson::of);
  }

  /** A new id that names the person. */
  static String commandId(Access access) {
    return "console:" + SafeText.line(access.name()) + ":" + UUID.randomUUID();
  }

  /** Why, in the words of the person. */
  static String note(JsonRequest request) {
    String note = request.text("note").orElse("");
    if (note.length() > LONGEST_NOTE) {
      throw new BadRequestException("note has more than " + LONGEST_NOTE + " characters");
    }
    return note;
  }

  private static ScheduleCommand command(String action, JsonRequest request, String author) {
    String note = note(request);
    try {
      return switch (action) {
        case "pause" -> ScheduleCommand.pause(note, author);
        case "resume" -> ScheduleCommand.resume(note, author);
        case "trigger" -> ScheduleCommand.trigger().saying(note, author);
        case "skip" -> ScheduleCommand.skip(request.instant("occurrence")).saying(note, author);
        case "unskip" -> ScheduleCommand.unskip(request.instant("occurrence")).saying(note, author);
        case "cancel_backfill" ->
            ScheduleCommand.cancelBackfill(request.required("backfill")).saying(note, author);
        default -> backfill(request).saying(note, author);
      };
    } catch (IllegalArgumentException e) {
      throw new BadRequestException(String.valueOf(e.getMessage()));
    }
  }

  private static ScheduleCommand backfill(JsonRequest request) {
    ScheduleCommand plain =
        ScheduleCommand.backfill(request.instant("from"), request.instant("to"));
    ScheduleCommand ordered =
        request.tree().path("newest_first").asBoolean() ? plain.newestFirst() : plain;
    JsonNode most = request.tree().path("max_running");
    if (most.isMissingNode() || most.isNull()) {
      return ordered;
    }
    if (!most.canConvertToInt()) {
      throw new BadRequestException("max_running must be a number, such as 4");
    }
    return ordered.maxRunning(most.intValue());
  }
}
