package io.waterclock.topology.scheduler.context;

import java.time.InstantSource;

/**
 * The application's services for the scheduler's processors, outside Kafka Streams.
 *
 * @param clock wall time
 */
public record ApplicationContext(
    InstantSource clock,
    ClockGuard guard,
    Gate.Factory gates,
    DefinedSchedules definedSchedules,
    TaskReports reports,
    TargetTopics targets,
    RecordDeaths deaths) {

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
