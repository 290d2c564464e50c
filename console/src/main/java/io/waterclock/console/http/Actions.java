package io.waterclock.console.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.waterclock.client.schedules.ScheduleCommand;
import io.waterclock.console.access.Access;
import io.waterclock.console.access.Role;
import io.waterclock.console.follow.TopicFollower;
import io.waterclock.console.jobs.FailureText;
import io.waterclock.console.letters.Writing;
import io.waterclock.console.model.ReadModel;
import io.waterclock.schemas.LimitName;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.avro.Limit;
import io.waterclock.schemas.avro.LimitPause;
import io.waterclock.schemas.log.SafeLogger;
import io.waterclock.schemas.text.SafeText;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.Logger;

/**
 * Turns requests into ordinary commands, and into records of limits. The identity becomes the
 * author of each, and part of the id of a command ({@code console:NAME:UUID}), which manual fires
 * show. Thread-safe.
 */
record Actions(
    Writing writing,
    ReadModel model,
    Supplier<TopicFollower.Progress> progress,
    ChangeOutbox sender) {
  /** The beginning of every id: who may do something for it may do so for all schedules. */
  static final String ALL = "";

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
    return sender.send(() -> writing.schedules().command(id, command)).handle(AnswerJson::of);
  }

  /**
   * Pauses or resumes a limit. A limit may be that of any schedule, so it takes an operator of all.
   *
   * @param request {@code name}, {@code action}, and with a pause {@code note} and {@code until}
   * @throws BadRequestException if it is not allowed or not complete, if there is no such limit, or
   *     if the console may not know the newest one
   */
  CompletableFuture<HttpAnswer> limit(JsonRequest request, Access access) {
    LimitName name = new LimitName(request.required("name"));
    String action = request.required("action");
    if (!List.of("pause", "resume").contains(action)) {
      throw new BadRequestException("action must be pause or resume");
    }
    if (!access.may(Role.OPERATOR, ALL)) {
      throw new BadRequestException(
          403, access.name() + " is no operator of all schedules, so it may pause no limit.");
    }
    BadRequestException.unlessCurrent(progress.get()); // the change repeats the record
    Limit limit =
        model
            .read(all -> all.limit(name.value()))
            .orElseThrow(() -> new BadRequestException(404, "There is no limit " + name + "."));
    limit.setPaused(action.equals("pause") ? pause(request, access) : null);
    LOG.info("{}: {} limit {}", access.name(), action, name);
    return sender
        .send(() -> CompletableFuture.completedFuture(written(name, limit)))
        .handle(
            (done, failure) ->
                done == null
                    ? HttpAnswer.problem(
                        504, "Not written", FailureText.of(Objects.requireNonNull(failure)))
                    : done);
  }

  private static LimitPause pause(JsonRequest request, Access access) {
    String note = note(request);
    return new LimitPause(
        note.isEmpty() ? null : note,
        SafeText.line(access.name()),
        request.text("until").isPresent() ? request.instant("until") : null);
  }

  private HttpAnswer written(LimitName name, Limit limit) {
    writing.limits().write(name, Optional.of(limit));
    return HttpAnswer.json(JsonNodeFactory.instance.objectNode().put("name", name.value()));
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
