package io.waterclock.topology.scheduler.context;

import java.time.Instant;

/** The topics that may be targets, as the brokers have them. Thread-safe. */
@FunctionalInterface
public interface TargetTopics {

  /**
   * Looks a topic up. One that is there is mostly told from memory; one that is not is asked for,
   * unless that was done at {@code asOf} or later.
   */
  TargetTopic find(String topic, Instant asOf);

  /** Knows of none whether it is there. */
  static TargetTopics unknown() {
    return (topic, asOf) -> new TargetTopic.Unknown();
  }
}
