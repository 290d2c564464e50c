package io.waterclock.cli.source;

import com.fasterxml.jackson.databind.JsonNode;
import io.waterclock.cli.source.MovingList.Draft;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Schedules of Amazon EventBridge, as {@code aws scheduler get-schedule} prints them, one or
 * several; rules as {@code aws events describe-rule} prints them, too.
 */
public final class EventBridgeSchedules {
  private static final Pattern CALL =
      Pattern.compile("\\s*(cron|rate|at)\\s*\\((.*)\\)\\s*", Pattern.CASE_INSENSITIVE);

  /** What is read, and what AWS keeps about it. */
  private static final Set<String> READ =
      Set.of(
          "ActionAfterCompletion",
          "Arn",
          "CreatedBy",
          "CreationDate",
          "Description",
          "EndDate",
          "FlexibleTimeWindow",
          "GroupName",
          "LastModificationDate",
          "Name",
          "ResponseMetadata",
          "ScheduleExpression",
          "ScheduleExpressionTimezone",
          "StartDate",
          "State",
          "Target");

  private static final Set<String> READ_OF_TARGET =
      Set.of("Arn", "DeadLetterConfig", "Input", "RetryPolicy");

  private final MovingList list;

  private EventBridgeSchedules(MovingSettings settings) {
    this.list = new MovingList(settings);
  }

  /**
   * @throws BrokenSourceException if the text is not JSON
   */
  public static Moving read(String text, MovingSettings settings) {
    EventBridgeSchedules schedules = new EventBridgeSchedules(settings);
    for (JsonNode value : Documents.json(text)) {
      JsonNode many = value.path("Schedules");
      if (many.isArray()) {
        many.forEach(schedules::schedule);
      } else {
        schedules.schedule(value);
      }
    }
    return schedules.list.moved();
  }

  private void schedule(JsonNode given) {
    String name = given.path("GroupName").asText("default") + "/" + given.path("Name").asText("");
    String expression = given.path("ScheduleExpression").asText("");
    String what = "schedule " + name + " " + expression;
    Matcher call = CALL.matcher(expression);
    if (!call.matches()) {
      list.leave(
          what,
          expression.isEmpty()
              ? "it has no ScheduleExpression; list-schedules leaves it out, get-schedule does not"
              : "its expression is none of cron(...), rate(...) and at(...)");
      return;
    }
    Draft draft = Draft.empty();
    if (list.attempt(what, () -> times(call, given, draft))) {
      rest(given, draft);
      list.add(what, name, draft);
    }
  }

  /** A rule has no zone: it means UTC. */
  private void times(Matcher call, JsonNode given, Draft draft) {
    String named = given.path("ScheduleExpressionTimezone").asText("UTC");
    ZoneId zone = list.zone(Optional.of(named), "ScheduleExpressionTimezone: ", "", draft);
    draft.form().put("timezone", zone.getId());
    trigger(call, given, draft);
    time(given, "StartDate").ifPresent(at -> draft.form().put("start_at", at.toString()));
    time(given, "EndDate").ifPresent(at -> draft.form().put("end_at", at.toString()));
    if (given.path("State").asText().equals("DISABLED")) {
      draft.form().put("enabled", false);
    }
  }

  private static void rest(JsonNode given, Draft draft) {
    policies(given, draft);
    target(given.path("Target"), draft);
    draft.leaveOut("", given, READ);
    draft.leaveOut(
        "FlexibleTimeWindow.",
        given.path("FlexibleTimeWindow"),
        Set.of("Mode", "MaximumWindowInMinutes"));
    draft.leaveOut(
        "RetryPolicy.",
        given.path("Target").path("RetryPolicy"),
        Set.of("MaximumRetryAttempts", "MaximumEventAgeInSeconds"));
    draft.leaveOut(
        "DeadLetterConfig.", given.path("Target").path("DeadLetterConfig"), Set.of("Arn"));
    draft.leaveOut("Target.", given.path("Target"), READ_OF_TARGET);
  }

  private static void trigger(Matcher call, JsonNode given, Draft draft) {
    String inside = String.valueOf(call.group(2)).strip();
    switch (String.valueOf(call.group(1)).toLowerCase(Locale.ROOT)) {
      case "cron" -> draft.form().put("cron", "cron(" + inside + ")").put("dialect", "aws");
      case "at" -> draft.form().put("at", inside);
      default -> {
        draft.form().put("cron", "rate(" + inside + ")");
        Optional<Instant> anchor = time(given, "StartDate").or(() -> time(given, "CreationDate"));
        anchor.ifPresentOrElse(
            at -> draft.form().put("anchor", at.toString()),
            () -> draft.note("Its rate counts from the moment of the put, not from its creation."));
      }
    }
  }

  private static Optional<Instant> time(JsonNode given, String field) {
    JsonNode time = given.path(field);
    return time.isNumber()
        ? Optional.of(Instant.ofEpochMilli(Math.round(time.asDouble() * 1000)))
        : Documents.time(given, field);
  }

  private static void policies(JsonNode given, Draft draft) {
    JsonNode window = given.path("FlexibleTimeWindow").path("MaximumWindowInMinutes");
    if (window.isNumber()) {
      draft.form().put("jitter", window.asLong() + "m");
    }
    JsonNode description = given.path("Description");
    if (description.isTextual() && !description.textValue().isBlank()) {
      draft.form().put("description", description.textValue());
    }
    if (given.path("ActionAfterCompletion").asText().equals("DELETE")) {
      draft.note(
          "ActionAfterCompletion DELETE has no equal: a completed schedule stays and is"
              + " COMPLETED.");
    }
  }

  private static void target(JsonNode target, Draft draft) {
    if (target.isMissingNode()) {
      return;
    }
    draft.form().put("type", "eventbridge");
    draft.form().putObject("headers").put("target-arn", target.path("Arn").asText());
    JsonNode input = target.path("Input");
    if (input.isTextual()) {
      draft.form().set("payload", payload(input));
    }
    JsonNode retry = target.path("RetryPolicy");
    if (retry.path("MaximumRetryAttempts").isNumber()) {
      draft.form().put("max_attempts", retry.path("MaximumRetryAttempts").asInt() + 1);
    }
    if (retry.path("MaximumEventAgeInSeconds").isNumber()) {
      draft.form().put("expires", retry.path("MaximumEventAgeInSeconds").asLong() + "s");
    }
    draft.note(
        "A consumer of the fires has to do what the target %s did."
            .formatted(target.path("Arn").asText("of the schedule")));
    if (!target.path("DeadLetterConfig").isMissingNode()) {
      draft.note(
          "DeadLetterConfig has no equal in a definition: a worker has a dead-letter topic.");
    }
  }

  /** Most inputs are JSON in a text. */
  private static JsonNode payload(JsonNode input) {
    try {
      var values = Documents.yaml(input.textValue());
      boolean isJson = input.textValue().stripLeading().startsWith("{") && values.size() == 1;
      return isJson ? values.get(0) : input;
    } catch (BrokenSourceException e) {
      return input;
    }
  }
}
