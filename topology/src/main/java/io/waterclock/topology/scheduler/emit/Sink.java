package io.waterclock.topology.scheduler.emit;

import io.waterclock.schemas.Topics;
import java.util.Locale;

/** The outputs of the scheduler. */
public enum Sink {
  FIRES,
  /** Fires of schedules with a limit, and what frees its room. */
  WAITING,
  MISSED,
  ALERTS,
  REVISIONS,
  STATUS,
  ANSWERS,
  WATERMARKS,
  DLQ,
  SCHEDULES,
  /** Outcome strays that have reached their home partition. */
  OUTCOMES,
  STRAYS,
  /** The origins of strays: partitions of the schedules topic that do not match their keys. */
  ORIGINS;

  private final String node = "to-" + name().toLowerCase(Locale.ROOT);

  /** The name of the node in the topology. */
  public String node() {
    return node;
  }

  public String topic(Topics topics) {
    return switch (this) {
      case FIRES -> topics.fires();
      case WAITING -> topics.waiting();
      case MISSED -> topics.missed();
      case ALERTS -> topics.alerts();
      case REVISIONS -> topics.revisions();
      case STATUS -> topics.status();
      case ANSWERS -> topics.answers();
      case WATERMARKS -> topics.watermarks();
      case DLQ -> topics.dlq();
      case SCHEDULES, ORIGINS -> topics.schedules();
      case OUTCOMES -> topics.outcomes();
      case STRAYS -> topics.strays();
    };
  }
}
