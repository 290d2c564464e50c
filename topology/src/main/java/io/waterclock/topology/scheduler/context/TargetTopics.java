package io.waterclock.topology.scheduler.context;

import java.time.Instant;

/** The existing topics that may be targets. Thread-safe. */
@FunctionalInterface
public interface TargetTopics {

  /**
   * Looks a topic up. An existing topic is usually in memory. For a missing topic this asks the
   * brokers, unless it has asked at {@code asOf} or later.
   */
  TargetTopic find(String topic, Instant asOf);

  /** Knows no topic. */
  static TargetTopics unknown() {
    return (topic, asOf) -> new TargetTopic.Unknown();
  }
}
