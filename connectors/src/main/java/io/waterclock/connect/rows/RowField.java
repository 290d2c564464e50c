package io.waterclock.connect.rows;

import io.waterclock.schemas.policy.CatchUpPolicy;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The fields that a mapping can assign columns to. Most are fields of a definition with the same
 * name; the others translate values that tables and definitions express differently.
 */
public enum RowField {
  ID("id", Form.TEXT, "The schedule's id. The column must be part of the record's key."),
  KIND("kind", Form.TEXT, "The kind of the row's trigger; kind.values translates it."),
  CRON("cron", Form.TEXT, "A cron expression."),
  DIALECT(
      "dialect",
      Form.TEXT,
      "With cron: waterclock, quartz, spring, aws, unix, robfig, croniter, fugit or jenkins."),
  EVERY(
      "every",
      Form.INTERVAL,
      "An interval: text such as \"30m\", or a whole number of every.unit."),
  EVERY_UNIT(
      "every.unit", Form.TEXT, "The unit of a number: ms, s, min, h, d, w, mo, y, or in words."),
  RRULE("rrule", Form.TEXT, "A recurrence rule of iCalendar."),
  ANCHOR("anchor", Form.TIME, "The instant from which the interval or the recurrence rule counts."),
  ANCHOR_FIRST(
      "anchor.first",
      Form.TIME,
      "The next run, which is the anchor when the schedule begins. The row is due now if its time is"
          + " in the past then, or an update sets it to now or to the past; other values of the"
          + " column change nothing."),
  AT("at", Form.TIME, "The time of a schedule that fires once, or \"now\"."),
  TIMEZONE("timezone", Form.TEXT, "The time zone of the trigger."),
  ENABLED("enabled", Form.BOOLEAN, "False pauses the schedule."),
  PAUSED("paused", Form.BOOLEAN, "True pauses the schedule."),
  STATUS("status", Form.TEXT, "A value that is not in status.enabled pauses the schedule."),
  CATCH_UP("catch_up", Form.TEXT, CatchUpPolicy.HELP + "; catch_up.values translates others."),
  ON_RESUME(
      "on_resume",
      Form.TEXT,
      "nothing or fire_once: what a resume does with the occurrences during the pause."),
  GRACE("grace", Form.DURATION, "How late an occurrence may be before it counts as missed."),
  CATCH_UP_WINDOW(
      "catch_up_window", Form.DURATION, "The oldest age of an occurrence that is replayed."),
  MAX_REPLAY(
      "max_replay", Form.NUMBER, "The maximum number of missed occurrences that are replayed."),
  START_AT("start_at", Form.TIME, "The schedule has no occurrences before it."),
  END_AT("end_at", Form.TIME, "The schedule has no occurrences at or after it."),
  JITTER("jitter", Form.DURATION, "The limit of a delay that spreads schedules."),
  OVERLAP("overlap", Form.TEXT, "allow, skip or buffer_one."),
  PAUSE_AFTER_FAILURES(
      "pause_after_failures",
      Form.NUMBER,
      "The number of consecutive failures after which the schedule pauses."),
  TYPE("type", Form.TEXT, "The type of the job."),
  PAYLOAD("payload", Form.PAYLOAD, "The payload of the fires; payload.as sets its type."),
  QUEUE("queue", Form.TEXT, "The queue."),
  PRIORITY("priority", Form.NUMBER, "A whole number; lower runs first."),
  OWNER("owner", Form.TEXT, "The owner."),
  LABELS("labels", Form.JSON, "A JSON object of texts."),
  HEADERS("headers", Form.JSON, "A JSON object of texts."),
  DESCRIPTION("description", Form.TEXT, "A description."),
  TIMEOUT("timeout", Form.DURATION, "How long a run may take; none for no limit."),
  EXPIRES("expires", Form.DURATION, "How long after its emission a fire may start."),
  TOLERANCE("tolerance", Form.DURATION, "How much sooner than its interval a run may start."),
  MAX_ATTEMPTS("max_attempts", Form.NUMBER, "The maximum number of attempts of a fire."),
  BACKOFF("backoff", Form.DURATION, "The backoff before the first retry."),
  BACKOFF_GROWTH("backoff_growth", Form.TEXT, "doubling or constant: the growth of the backoff."),
  REPORT_ALL("report_all", Form.BOOLEAN, "True: workers report the outcome of each fire.");

  enum Form {
    TEXT,
    NUMBER,
    BOOLEAN,
    TIME,
    INTERVAL,
    DURATION,
    PAYLOAD,
    JSON
  }

  /** The triggers; a row has exactly one of them. */
  static final List<RowField> TRIGGERS = List.of(CRON, EVERY, RRULE, AT);

  private final String key;
  private final Form form;
  private final String documentation;

  RowField(String key, Form form, String documentation) {
    this.key = key;
    this.form = form;
    this.documentation = documentation;
  }

  /** The name in the configuration, and of the definition's field if there is one. */
  public String key() {
    return key;
  }

  public String documentation() {
    return documentation;
  }

  Form form() {
    return form;
  }

  /** True for a trigger with an anchor. */
  boolean isAnchored() {
    return this == EVERY || this == RRULE;
  }

  public static Optional<RowField> trigger(String key) {
    return ofKey(key).filter(TRIGGERS::contains);
  }

  static Optional<RowField> ofKey(String key) {
    return Arrays.stream(values()).filter(field -> field.key.equals(key)).findFirst();
  }
}
