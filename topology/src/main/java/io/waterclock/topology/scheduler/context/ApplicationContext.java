package io.waterclock.topology.scheduler.context;

import io.waterclock.schemas.log.RejectionLog;
import java.time.InstantSource;

/**
 * The application's services for the scheduler's processors, outside Kafka Streams.
 *
 * @param clock wall time
 * @param incoming what tasks share about the records that they read
 */
public record ApplicationContext(
    InstantSource clock,
    ClockGuard guard,
    Brokers brokers,
    TaskReports reports,
    Incoming incoming) {

  /** What tasks ask of brokers. */
  public record Brokers(
      Gate.Factory gates, DefinedSchedules definedSchedules, TargetTopics targets) {}

  /**
   * What tasks share about the records that they read.
   *
   * @param waiting what the records may take of the heap that wait
   */
  public record Incoming(RecordDeaths deaths, RejectionLog rejections, WaitingMemory waiting) {
    private static final String REST =
        " more records were rejected and got no line each; the dead-letter topic and the status of"
            + " each schedule have the reasons";

    /** With a log of its own, and a quarter of the heap. */
    public static Incoming of(InstantSource clock, RecordDeaths deaths) {
      return new Incoming(deaths, new RejectionLog(clock::instant, REST), WaitingMemory.ofHeap());
    }
  }

  /** A context that knows no target topics and notes no deaths. */
  public static ApplicationContext of(
      InstantSource clock,
      ClockGuard guard,
      Gate.Factory gates,
      DefinedSchedules definedSchedules,
      TaskReports reports) {
    return new ApplicationContext(
        clock,
        guard,
        new Brokers(gates, definedSchedules, TargetTopics.unknown()),
        reports,
        Incoming.of(clock, RecordDeaths.none()));
  }
}
