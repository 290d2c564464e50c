package io.waterclock.connect.rows;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What a column may say. Most are fields of a definition under the same name; the others tell how a
 * table says something that a definition says otherwise.
 */
public enum RowField {
  ID("id", Form.TEXT, "The schedule's id. The column must be part of the record's key."),
  KIND("kind", Form.TEXT, "Which trigger the row has; kind.values translates it."),
  CRON("cron", Form.TEXT, "A cron expression."),
  EVERY(
      "every",
      Form.INTERVAL,
      "An interval: text such as \"30m\", or a whole number of every.unit."),
  EVERY_UNIT(
      "every.unit", Form.TEXT, "The unit of a number: ms, s, min, h, d, w, mo, y, or in words."),
  RRULE("rrule", Form.TEXT, "A recurrence rule of iCalendar."),
  ANCHOR("anchor", Form.TIME, "Where the interval or the recurrence rule begins to count."),
  ANCHOR_FIRST(
      "anchor.first",
      Form.TIME,
      "The same, from the column as it was when the schedule began: later values change nothing."),
  AT("at", Form.TIME, "The time of a schedule that fires once, or \"now\"."),
  TIMEZONE("timezone", Form.TEXT, "The time zone in which the trigger is read."),
  ENABLED("enabled", Form.BOOLEAN, "False pauses the schedule."),
  PAUSED("paused", Form.BOOLEAN, "True pauses the schedule."),
  STATUS("status", Form.TEXT, "A value that is not in status.enabled pauses the schedule."),
  CATCH_UP("catch_up", Form.TEXT, "skip, collapse or replay; catch_up.values translates others."),
  ON_RESUME(
      "on_resume", Form.TEXT, "nothing or fire_once: what a resume makes of what the pause held."),
  GRACE("grace", Form.DURATION, "How late an occurrence may be before it is missed."),
  CATCH_UP_WINDOW("catch_up_window", Form.DURATION, "How far back a replay goes."),
  MAX_REPLAY("max_replay", Form.NUMBER, "How many missed occurrences are replayed at most."),
  START_AT("start_at", Form.TIME, "Nothing occurs before it."),
  END_AT("end_at", Form.TIME, "Nothing occurs at it or after it."),
  JITTER("jitter", Form.DURATION, "The bound of a delay that spreads schedules."),
  OVERLAP("overlap", Form.TEXT, "allow, skip or buffer_one."),
  PAUSE_AFTER_FAILURES(
      "pause_after_failures", Form.NUMBER, "After how many failures in a row the schedule pauses."),
  TYPE("type", Form.TEXT, "What kind of job it is."),
  PAYLOAD("payload", Form.PAYLOAD, "What the fires carry; payload.as says how it is read."),
  QUEUE("queue", Form.TEXT, "The queue."),
  PRIORITY("priority", Form.NUMBER, "A whole number; lower runs first."),
  OWNER("owner", Form.TEXT, "The owner."),
  LABELS("labels", Form.JSON, "A JSON object of texts."),
  HEADERS("headers", Form.JSON, "A JSON object of texts."),
  DESCRIPTION("description", Form.TEXT, "A description."),
  TIMEOUT("timeout", Form.DURATION, "How long a run may take; none for as long as it takes."),
  EXPIRES(
      "expires", Form.DURATION, "From when on after it was emitted a fire is not run any more."),
  TOLERANCE("tolerance", Form.DURATION, "How much sooner than its interval a run may start."),
  MAX_ATTEMPTS("max_attempts", Form.NUMBER, "How often a worker tries a fire."),
  BACKOFF("backoff", Form.DURATION, "How long a worker waits before the first retry."),
  BACKOFF_GROWTH(
      "backoff_growth", Form.TEXT, "doubling or constant: how the pauses before retries grow."),
  REPORT_ALL("report_all", Form.BOOLEAN, "True: workers tell what becomes of each fire.");

  /** How a value is read. */
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

  /** The fields of which a row has exactly one. */
  static final List<RowField> TRIGGERS = List.of(CRON, EVERY, RRULE, AT);

  private final String key;
  private final Form form;
  private final String documentation;

  RowField(String key, Form form, String documentation) {
    this.key = key;
    this.form = form;
    this.documentation = documentation;
  }

  /** The name in the configuration, and of the definition's field where there is one. */
  public String key() {
    return key;
  }

  /** What it means, for people. */
  public String documentation() {
    return documentation;
  }

  Form form() {
    return form;
  }

  /** True for a trigger that has an anchor. */
  boolean isAnchored() {
    return this == EVERY || this == RRULE;
  }

  /** The trigger with this name. */
  public static Optional<RowField> trigger(String key) {
    return ofKey(key).filter(TRIGGERS::contains);
  }

  static Optional<RowField> ofKey(String key) {
    return Arrays.stream(values()).filter(field -> field.key.equals(key)).findFirst();
  }
}
