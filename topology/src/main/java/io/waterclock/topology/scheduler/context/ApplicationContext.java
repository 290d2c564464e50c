package io.waterclock.topology.scheduler.context;

import io.waterclock.schemas.log.RejectionLog;
import java.time.InstantSource;

/**
 * The application's services for the scheduler's processors, outside Kafka Streams.
 *
 * @param clock wall time
 * @param rejections the log of rejected records
 * @param waiting what the records may take of the heap that wait in its tasks
 */
public record ApplicationContext(
    InstantSource clock,
    ClockGuard guard,
    Gate.Factory gates,
    DefinedSchedules definedSchedules,
    TaskReports reports,
    TargetTopics targets,
    RecordDeaths deaths,
    RejectionLog rejections,
    WaitingMemory waiting) {
  private static final String REST =
      " more records were rejected and got no line each; the dead-letter topic and the status of"
          + " each schedule have the reasons";

  /** A context with a log of its own for rejected records. */
  public ApplicationContext(
      InstantSource clock,
      ClockGuard guard,
      Gate.Factory gates,
      DefinedSchedules definedSchedules,
      TaskReports reports,
      TargetTopics targets,
      RecordDeaths deaths) {
    this(
        clock,
        guard,
        gates,
        definedSchedules,
        reports,
        targets,
        deaths,
        new RejectionLog(clock::instant, REST),
        WaitingMemory.ofHeap());
  }

  /** A context that knows no target topics and notes no deaths. */
  public ApplicationContext(
      InstantSource clock,
      ClockGuard guard,
      Gate.Factory gates,
      DefinedSchedules definedSchedules,
      TaskReports reports) {
    this(
        clock,
        guard,
        gates,
        definedSchedules,
        reports,
        TargetTopics.unknown(),
        RecordDeaths.none());
  }
}
