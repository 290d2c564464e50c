package io.waterclock.cli.source;

import com.fasterxml.jackson.databind.JsonNode;
import io.waterclock.cli.source.MovingList.Draft;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Schedules of Temporal, as {@code temporal schedule describe --output json} prints them. Each
 * calendar and each interval of a schedule becomes a schedule of its own. The end of a schedule is
 * inclusive there, and its start begins with the second in which it lies.
 */
public final class TemporalSchedules {
  private static final Pattern SECONDS = Pattern.compile("(\\d{1,15}(?:\\.\\d{1,9})?)s");
  private static final Instant EPOCH = Instant.EPOCH;

  /** What is read, and what Temporal keeps about it. */
  private static final Set<String> READ =
      Set.of("conflictToken", "info", "schedule", "scheduleId", "schedule_id");

  private static final Set<String> READ_OF_SPEC =
      Set.of(
          "cronString",
          "endTime",
          "interval",
          "jitter",
          "startTime",
          "structuredCalendar",
          "timezoneName");

  private static final Set<String> READ_OF_RANGE = Set.of("start", "end", "step");

  private static final Set<String> READ_OF_CALENDAR =
      Stream.concat(Stream.of(Field.values()).map(field -> field.key), Stream.of("year", "comment"))
          .collect(Collectors.toSet());

  private final MovingList list;

  private TemporalSchedules(MovingSettings settings) {
    this.list = new MovingList(settings);
  }

  /**
   * A calendar, an interval or a cron string of a schedule.
   *
   * @param what it is, for people
   */
  private record Part(String what, Draft draft) {}

  /** The fields of a calendar in the order of cron, with the range that a missing one means. */
  private enum Field {
    SECOND("second", "0", 59),
    MINUTE("minute", "0", 59),
    HOUR("hour", "0", 23),
    DAY_OF_MONTH("dayOfMonth", "*", -1),
    MONTH("month", "*", -1),
    DAY_OF_WEEK("dayOfWeek", "*", -1);

    private final String key;
    private final String missing;
    private final int last;

    /**
     * @param last the end of a range from 0 that a star expresses: an interval, not a fixed time
     */
    Field(String key, String missing, int last) {
      this.key = key;
      this.missing = missing;
      this.last = last;
    }
  }

  /**
   * @throws BrokenSourceException if the text is not JSON
   */
  public static Moving read(String text, MovingSettings settings) {
    TemporalSchedules schedules = new TemporalSchedules(settings);
    for (JsonNode value : Documents.json(text)) {
      schedules.schedule(value);
    }
    return schedules.list.moved();
  }

  private void schedule(JsonNode described) {
    String id =
        described.path("scheduleId").asText(described.path("schedule_id").asText("schedule"));
    JsonNode schedule = described.path("schedule");
    JsonNode spec = schedule.path("spec");
    if (!spec.isObject()) {
      list.leave("schedule " + id, "it has no schedule.spec");
      return;
    }
    if (!spec.path("excludeStructuredCalendar").isEmpty()) {
      list.leave(
          "schedule " + id,
          "excludeStructuredCalendar has no equal but a calendar of dates: put one with waterclock"
              + " calendar put, and name it in except");
      return;
    }
    if (!spec.path("calendar").isEmpty() || !spec.path("excludeCalendar").isEmpty()) {
      list.leave(
          "schedule " + id,
          "its calendars are texts; temporal schedule describe prints them as structuredCalendar");
      return;
    }
    List<Part> parts = new ArrayList<>();
    boolean isWhole =
        parts(spec.path("structuredCalendar"), "calendar", id, TemporalSchedules::calendar, parts)
            && parts(spec.path("interval"), "interval", id, TemporalSchedules::interval, parts)
            && parts(
                spec.path("cronString"),
                "cronString",
                id,
                cron -> TemporalCron.draft(cron.asText()),
                parts);
    if (isWhole) {
      add(id, described, parts);
    }
  }

  /**
   * Reads the parts of one kind, or leaves the schedule behind for one of them.
   *
   * @return whether it read all of them
   */
  private boolean parts(
      JsonNode values, String kind, String id, Function<JsonNode, Draft> reader, List<Part> parts) {
    for (JsonNode value : values) {
      String what = "schedule %s, %s %s".formatted(id, kind, value);
      if (!list.attempt(what, () -> parts.add(new Part(what, reader.apply(value))))) {
        return false;
      }
    }
    return true;
  }

  private void add(String id, JsonNode described, List<Part> parts) {
    JsonNode schedule = described.path("schedule");
    boolean isRead =
        list.attempt(
            "schedule " + id,
            () -> {
              for (Part part : parts) {
                common(schedule, part.draft());
                part.draft().leaveOut("", described, READ);
              }
            });
    if (!isRead) {
      return;
    }
    if (parts.isEmpty()) {
      list.leave("schedule " + id, "it has neither a calendar nor an interval");
    }
    for (Part part : parts) {
      if (parts.size() > 1) {
        part.draft()
            .note(
                "Temporal has one schedule for all %d parts; here they fire one by one."
                    .formatted(parts.size()));
      }
      list.add(part.what(), id, part.draft());
    }
  }

  /** A day must match all fields of a calendar, as in Spring; a year is a bound. */
  private static Draft calendar(JsonNode calendar) {
    StringJoiner cron = new StringJoiner(" ");
    for (Field field : Field.values()) {
      cron.add(ranges(calendar.path(field.key), field));
    }
    Draft draft = Draft.empty();
    draft.form().put("cron", cron.toString()).put("dialect", "spring");
    draft.leaveOut("structuredCalendar.", calendar, READ_OF_CALENDAR);
    calendar.forEach(
        ranges ->
            ranges.forEach(
                range -> draft.leaveOut("structuredCalendar range.", range, READ_OF_RANGE)));
    JsonNode years = calendar.path("year");
    if (years.size() > 1 || years.path(0).path("step").asInt(1) > 1) {
      throw new BrokenSourceException(
          "its years are not one range; define one schedule for each, with start_at and end_at");
    }
    if (years.size() == 1) {
      int first = years.path(0).path("start").asInt();
      int last = years.path(0).path("end").asInt(first);
      TemporalCron.bound(first, last, draft);
    }
    JsonNode comment = calendar.path("comment");
    if (comment.isTextual() && !comment.textValue().isBlank()) {
      draft.form().put("description", comment.textValue());
    }
    return draft;
  }

  private static String ranges(JsonNode ranges, Field field) {
    if (!ranges.isArray() || ranges.isEmpty()) {
      return field.missing;
    }
    StringJoiner text = new StringJoiner(",");
    for (JsonNode range : ranges) {
      int start = range.path("start").asInt();
      int end = Math.max(start, range.path("end").asInt(start));
      int step = Math.max(1, range.path("step").asInt(1));
      String values =
          start == 0 && end == field.last ? "*" : start + (end > start ? "-" + end : "");
      text.add(values + (end > start && step > 1 ? "/" + step : ""));
    }
    return text.toString();
  }

  /** Temporal counts an interval from the epoch, and its phase from there, in whole seconds. */
  private static Draft interval(JsonNode interval) {
    Draft draft = Draft.empty();
    Duration every =
        seconds(interval.path("interval").asText(""), "interval").truncatedTo(ChronoUnit.SECONDS);
    Duration phase =
        seconds(interval.path("phase").asText("0s"), "phase").truncatedTo(ChronoUnit.SECONDS);
    draft.form().put("every", every.toString()).put("anchor", EPOCH.plus(phase).toString());
    draft.leaveOut("interval.", interval, Set.of("interval", "phase"));
    return draft;
  }

  private static Duration seconds(String text, String field) {
    Matcher seconds = SECONDS.matcher(text);
    if (!seconds.matches()) {
      throw new BrokenSourceException(field + " is no duration in seconds: \"" + text + "\"");
    }
    return Duration.ofMillis(
        new BigDecimal(String.valueOf(seconds.group(1))).movePointRight(3).longValue());
  }

  private static Optional<Duration> duration(JsonNode value, String field) {
    return value.isTextual() ? Optional.of(seconds(value.textValue(), field)) : Optional.empty();
  }

  private static void common(JsonNode schedule, Draft draft) {
    JsonNode spec = schedule.path("spec");
    zone(spec.path("timezoneName").asText(""), draft);
    bound(spec, "startTime", "start_at", draft)
        .ifPresent(
            start ->
                draft.form().put("start_at", start.truncatedTo(ChronoUnit.SECONDS).toString()));
    bound(spec, "endTime", "end_at", draft)
        .ifPresent(end -> draft.form().put("end_at", MovingList.after(end)));
    duration(spec.path("jitter"), "jitter")
        .filter(jitter -> !jitter.isZero())
        .ifPresent(jitter -> draft.form().put("jitter", jitter.toString()));
    policies(schedule.path("policies"), draft);
    state(schedule.path("state"), draft);
    JsonNode workflow = schedule.path("action").path("startWorkflow");
    draft.form().put("type", workflow.path("workflowType").path("name").asText("workflow"));
    if (workflow.path("taskQueue").path("name").isTextual()) {
      draft.form().put("queue", workflow.path("taskQueue").path("name").textValue());
    }
    draft.leaveOut("schedule.", schedule, Set.of("spec", "action", "policies", "state"));
    draft.leaveOut("spec.", spec, READ_OF_SPEC);
    draft.leaveOut("action.", schedule.path("action"), Set.of("startWorkflow"));
    draft.leaveOut("startWorkflow.", workflow, Set.of("workflowType", "taskQueue", "input"));
    draft.leaveOut("taskQueue.", workflow.path("taskQueue"), Set.of("name", "kind"));
    draft.leaveOut("workflowType.", workflow.path("workflowType"), Set.of("name"));
    draft.leaveOut(
        "policies.",
        schedule.path("policies"),
        Set.of("overlapPolicy", "catchupWindow", "pauseOnFailure"));
    draft.leaveOut(
        "state.",
        schedule.path("state"),
        Set.of("notes", "paused", "limitedActions", "remainingActions"));
    if (workflow.has("input")) {
      draft.form().set("payload", workflow.path("input"));
    }
  }

  private static void zone(String zone, Draft draft) {
    String ofPart = draft.form().path("timezone").asText(zone);
    if (!zone.isEmpty() && !zone.equals(ofPart)) {
      throw new BrokenSourceException(
          "it names two time zones, \"" + zone + "\" and \"" + ofPart + "\"; name one of them");
    }
    draft.form().put("timezone", ofPart.isEmpty() ? "UTC" : ofPart);
  }

  private static Optional<Instant> bound(JsonNode spec, String theirs, String ours, Draft draft) {
    Optional<Instant> time = Documents.time(spec, theirs);
    if (time.isPresent() && draft.form().has(ours)) {
      throw new BrokenSourceException("it has both years and " + theirs + "; name one of them");
    }
    return time;
  }

  private static void policies(JsonNode policies, Draft draft) {
    String overlap =
        policies
            .path("overlapPolicy")
            .asText("SKIP")
            .replace("SCHEDULE_OVERLAP_POLICY_", "")
            .replace("_", "")
            .toUpperCase(Locale.ROOT);
    switch (overlap) {
      case "SKIP", "UNSPECIFIED" -> draft.form().put("overlap", "skip");
      case "BUFFERONE" -> draft.form().put("overlap", "buffer_one");
      case "ALLOWALL" -> draft.form().put("overlap", "allow");
      default -> {
        draft.form().put("overlap", "buffer_one");
        draft.note("overlapPolicy %s has no equal; here it is buffer_one.".formatted(overlap));
      }
    }
    Optional<Duration> window = duration(policies.path("catchupWindow"), "catchupWindow");
    draft.form().put("catch_up", "replay");
    draft.form().put("catch_up_window", window.orElse(Duration.ofDays(365)).toString());
    if (policies.path("pauseOnFailure").asBoolean()) {
      draft.form().put("pause_after_failures", 1);
    }
  }

  private static void state(JsonNode state, Draft draft) {
    if (state.path("paused").asBoolean()) {
      draft.form().put("enabled", false);
    }
    if (state.path("limitedActions").asBoolean()) {
      draft.form().put("max_occurrences", state.path("remainingActions").asLong());
      draft.note("remainingActions counts actions that start; max_occurrences counts occurrences.");
    }
    if (state.path("notes").isTextual() && !state.path("notes").textValue().isBlank()) {
      String comment = draft.form().path("description").asText("");
      String notes = state.path("notes").textValue();
      draft.form().put("description", comment.isEmpty() ? notes : comment + "; " + notes);
    }
  }
}
