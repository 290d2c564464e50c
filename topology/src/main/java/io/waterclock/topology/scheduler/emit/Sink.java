package io.waterclock.topology.scheduler.emit;

import io.waterclock.schemas.Topics;
import java.util.Locale;

/** Where the scheduler writes. */
public enum Sink {
  FIRES,
  MISSED,
  REVISIONS,
  STATUS,
  ANSWERS,
  WATERMARKS,
  DLQ,
  SCHEDULES,
  /** Strays that are home. */
  OUTCOMES,
  STRAYS,
  /** Where strays were: partitions of the schedules topic that are not those of their keys. */
  ORIGINS;

  private final String node = "to-" + name().toLowerCase(Locale.ROOT);

  /** The name of the node in the topology. */
  public String node() {
    return node;
  }

  public String topic(Topics topics) {
    return switch (this) {
      case FIRES -> topics.fires();
      case MISSED -> topics.missed();
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
