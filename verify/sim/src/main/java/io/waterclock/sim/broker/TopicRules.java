package io.waterclock.sim.broker;

import java.time.Duration;

/**
 * How a topic is cleaned.
 *
 * @param isCompacted false: retention removes its records
 * @param retention of a topic that is not compacted
 * @param deleteRetention how long a compacted topic keeps tombstones, from the compaction on that
 *     finds them first
 * @param minCompactionLag how long compaction leaves a record alone
 */
public record TopicRules(
    boolean isCompacted, Duration retention, Duration deleteRetention, Duration minCompactionLag) {

  public static TopicRules compacted(Duration deleteRetention, Duration minCompactionLag) {
    return new TopicRules(true, Duration.ZERO, deleteRetention, minCompactionLag);
  }

  public static TopicRules deleted(Duration retention) {
    return new TopicRules(false, retention, Duration.ZERO, Duration.ZERO);
  }
}
