package io.waterclock.schemas;

import io.waterclock.schemas.avro.Alert;
import io.waterclock.schemas.avro.Answer;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.schemas.avro.Command;
import io.waterclock.schemas.avro.ExportedRange;
import io.waterclock.schemas.avro.ExportedState;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Limit;
import io.waterclock.schemas.avro.Missed;
import io.waterclock.schemas.avro.OrderedFire;
import io.waterclock.schemas.avro.Outcome;
import io.waterclock.schemas.avro.RecordBodies;
import io.waterclock.schemas.avro.Revision;
import io.waterclock.schemas.avro.Schedule;
import io.waterclock.schemas.avro.ScheduleStatus;
import io.waterclock.schemas.avro.Watermark;
import io.waterclock.schemas.json.ScheduleJson;
import java.util.List;

/** The codec of each type of record. Thread-safe. */
public final class RecordCodecs {
  private static final RecordCodec<Schedule> SCHEDULE =
      RecordCodec.of(Schedule.class, RecordBodies::readSchedule, RecordBodies::write);
  private static final RecordCodec<Command> COMMAND =
      RecordCodec.of(Command.class, RecordBodies::readCommand, RecordBodies::write);
  private static final RecordCodec<Outcome> OUTCOME =
      RecordCodec.of(Outcome.class, RecordBodies::readOutcome, RecordBodies::write);
  private static final RecordCodec<Fire> FIRE =
      RecordCodec.of(Fire.class, RecordBodies::readFire, RecordBodies::write);
  private static final RecordCodec<Missed> MISSED =
      RecordCodec.of(Missed.class, RecordBodies::readMissed, RecordBodies::write);
  private static final RecordCodec<Alert> ALERT =
      RecordCodec.of(Alert.class, RecordBodies::readAlert, RecordBodies::write);
  private static final RecordCodec<Revision> REVISION =
      RecordCodec.of(Revision.class, RecordBodies::readRevision, RecordBodies::write);
  private static final RecordCodec<ScheduleStatus> STATUS =
      RecordCodec.of(ScheduleStatus.class, RecordBodies::readScheduleStatus, RecordBodies::write);
  private static final RecordCodec<Answer> ANSWER =
      RecordCodec.of(Answer.class, RecordBodies::readAnswer, RecordBodies::write);
  private static final RecordCodec<Watermark> WATERMARK =
      RecordCodec.of(Watermark.class, RecordBodies::readWatermark, RecordBodies::write);
  private static final RecordCodec<Calendar> CALENDAR =
      RecordCodec.of(Calendar.class, RecordBodies::readCalendar, RecordBodies::write);
  private static final RecordCodec<Limit> LIMIT =
      RecordCodec.of(Limit.class, RecordBodies::readLimit, RecordBodies::write);
  private static final RecordCodec<ExportedState> EXPORTED_STATE =
      RecordCodec.of(ExportedState.class, RecordBodies::readExportedState, RecordBodies::write);
  private static final RecordCodec<ExportedRange> EXPORTED_RANGE =
      RecordCodec.of(ExportedRange.class, RecordBodies::readExportedRange, RecordBodies::write);
  private static final RecordCodec<OrderedFire> ORDERED_FIRE =
      RecordCodec.of(OrderedFire.class, RecordBodies::readOrderedFire, RecordBodies::write);

  private RecordCodecs() {}

  /**
   * Definitions. Its JSON reading takes times without an offset in the record's time zone, or in
   * UTC if it names none, and throws if there is any problem. {@link ScheduleJson} also returns the
   * readable part.
   */
  public static RecordCodec<Schedule> schedule() {
    return SCHEDULE;
  }

  /** Commands. */
  public static RecordCodec<Command> command() {
    return COMMAND;
  }

  /** Outcomes of fires. */
  public static RecordCodec<Outcome> outcome() {
    return OUTCOME;
  }

  /** Fires. */
  public static RecordCodec<Fire> fire() {
    return FIRE;
  }

  /** Ranges of occurrences that did not fire. */
  public static RecordCodec<Missed> missed() {
    return MISSED;
  }

  /** What is overdue, and what has recovered. */
  public static RecordCodec<Alert> alert() {
    return ALERT;
  }

  /** Accepted definitions. */
  public static RecordCodec<Revision> revision() {
    return REVISION;
  }

  /** States of schedules. */
  public static RecordCodec<ScheduleStatus> status() {
    return STATUS;
  }

  /** Answers to requests. */
  public static RecordCodec<Answer> answer() {
    return ANSWER;
  }

  /** How far partitions are decided. */
  public static RecordCodec<Watermark> watermark() {
    return WATERMARK;
  }

  /** Calendars of exclusions. */
  public static RecordCodec<Calendar> calendar() {
    return CALENDAR;
  }

  /** Limits of groups of schedules. */
  public static RecordCodec<Limit> limit() {
    return LIMIT;
  }

  /** A schedule's progress in an export. */
  public static RecordCodec<ExportedState> exportedState() {
    return EXPORTED_STATE;
  }

  /**
   * Missed occurrences of a replaced definition; part of an export, and a value of state stores.
   */
  public static RecordCodec<ExportedRange> exportedRange() {
    return EXPORTED_RANGE;
  }

  /** A waiting fire of a command; part of an export, and a value of state stores. */
  public static RecordCodec<OrderedFire> orderedFire() {
    return ORDERED_FIRE;
  }

  /** The records on topics and in headers. */
  static List<RecordCodec<?>> all() {
    return List.of(
        SCHEDULE,
        COMMAND,
        OUTCOME,
        FIRE,
        MISSED,
        ALERT,
        REVISION,
        STATUS,
        ANSWER,
        WATERMARK,
        CALENDAR,
        LIMIT,
        EXPORTED_STATE);
  }
}
