package io.waterclock.topology.scheduler.context;

import java.time.InstantSource;

/**
 * What the scheduler's processors touch outside Kafka Streams.
 *
 * @param clock wall time
 */
public record ApplicationContext(
    InstantSource clock,
    ClockGuard guard,
    Gate.Factory gates,
    DefinedSchedules survivors,
    TaskReports reports,
    TargetTopics targets,
    RecordDeaths deaths) {

  /** Where nobody knows which topics there are, and nobody notes deaths. */
  public ApplicationContext(
      InstantSource clock,
      ClockGuard guard,
      Gate.Factory gates,
      DefinedSchedules survivors,
      TaskReports reports) {
    this(clock, guard, gates, survivors, reports, TargetTopics.unknown(), RecordDeaths.none());
  }
}
