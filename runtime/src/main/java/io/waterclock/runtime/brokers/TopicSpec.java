package io.waterclock.runtime.brokers;

import io.waterclock.schemas.Topics;
import io.waterclock.topology.scheduler.store.StateAge;
import io.waterclock.topology.scheduler.store.StateCopy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.config.TopicConfig;

/**
 * The requirements for a topic.
 *
 * @param settings required topic settings; those that end in {@code .ms} are minimums
 * @param partitions the number at its creation, and the allowed numbers
 */
record TopicSpec(String name, Map<String, String> settings, Partitions partitions) {
  /** How many partitions a topic has. */
  enum Partitions {
    /** Exactly one, since all its records need one order. */
    ONE,
    /**
     * As many as the schedules topic, since its records belong to schedules of the same partition.
     */
    AS_SCHEDULES,
    /** Created with as many as the schedules topic; every other number is allowed. */
    ANY;

    int toCreate(int schedules) {
      return this == ONE ? 1 : schedules;
    }

    int required(int found, int schedules) {
      return this == ANY ? found : toCreate(schedules);
    }

    /** Why that number is required. */
    String reason() {
      return this == AS_SCHEDULES ? " as the schedules have" : "";
    }
  }

  private static final Duration WEEK = Duration.ofDays(7);
  private static final Duration MONTH = Duration.ofDays(30);
  private static final Duration NO_LIMIT = Duration.ofMillis(Long.MAX_VALUE);

  /** Every topic that the scheduler reads or writes, and creates; the inputs come first. */
  static List<TopicSpec> all(Topics topics) {
    return List.of(
        compacted(topics.schedules(), "CreateTime")
            .with(TopicConfig.DELETE_RETENTION_MS_CONFIG, WEEK)
            .with(TopicConfig.MIN_COMPACTION_LAG_MS_CONFIG, WEEK)
            // a stray keeps its timestamp, even if it waits long
            .with(TopicConfig.MESSAGE_TIMESTAMP_BEFORE_MAX_MS_CONFIG, NO_LIMIT),
        // stamped by the broker: a change counts from the moment when it is made
        compacted(topics.calendars(), "LogAppendTime")
            .with(TopicConfig.DELETE_RETENTION_MS_CONFIG, WEEK)
            .with(TopicConfig.MIN_COMPACTION_LAG_MS_CONFIG, WEEK)
            .in(Partitions.ONE),
        deleted(topics.commands(), WEEK).in(Partitions.AS_SCHEDULES),
        deleted(topics.outcomes(), WEEK)
            // as with schedules
            .with(TopicConfig.MESSAGE_TIMESTAMP_BEFORE_MAX_MS_CONFIG, NO_LIMIT)
            .in(Partitions.AS_SCHEDULES),
        // a stray is kept until it has reached its home partition
        compacted(topics.strays(), "CreateTime").in(Partitions.AS_SCHEDULES),
        deleted(topics.fires(), Topics.FIRES_KEPT),
        deleted(topics.missed(), Topics.MISSED_KEPT),
        deleted(topics.revisions(), MONTH),
        compacted(topics.status(), "CreateTime"),
        deleted(topics.answers(), Duration.ofDays(1)),
        compacted(topics.watermarks(), "LogAppendTime"),
        deleted(topics.dlq(), MONTH));
  }

  /** The topics of others that clients of the scheduler read: they need not exist. */
  static List<TopicSpec> ofOthers(Topics topics) {
    return List.of(uncompressed(topics.workers()));
  }

  /**
   * The changelogs of the state, which Kafka Streams creates.
   *
   * @param stateMaxAge how old local state may be; changelogs keep the deletes since then
   */
  static List<TopicSpec> changelogs(String applicationId, Duration stateMaxAge) {
    return StateCopy.changelogs(applicationId).stream()
        .map(
            name ->
                new TopicSpec(name, Map.of(), Partitions.AS_SCHEDULES)
                    .with(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT)
                    .with(
                        TopicConfig.DELETE_RETENTION_MS_CONFIG,
                        StateAge.tombstonesKept(stateMaxAge)))
        .toList();
  }

  /**
   * A consumer must decompress the batches that a broker stores as the producer sent them, and no
   * consumer has a bound for the result: 10 KB of zstd can hold 300 MB of zeros. With this setting
   * the broker decompresses, and applies {@code max.message.bytes} to the result.
   */
  private static TopicSpec uncompressed(String name) {
    return new TopicSpec(name, Map.of(), Partitions.ANY)
        .with(TopicConfig.COMPRESSION_TYPE_CONFIG, "uncompressed");
  }

  private static TopicSpec compacted(String name, String timestampType) {
    return uncompressed(name)
        .with(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT)
        .with(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, timestampType);
  }

  private static TopicSpec deleted(String name, Duration retention) {
    return uncompressed(name)
        .with(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE)
        .with(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "CreateTime")
        .with(TopicConfig.RETENTION_MS_CONFIG, retention);
  }

  private TopicSpec with(String key, Duration value) {
    return with(key, Long.toString(value.toMillis()));
  }

  private TopicSpec with(String key, String value) {
    Map<String, String> more = new TreeMap<>(settings);
    more.put(key, value);
    return new TopicSpec(name, Map.copyOf(more), partitions);
  }

  private TopicSpec in(Partitions other) {
    return new TopicSpec(name, settings, other);
  }

  static boolean isGood(String key, String wanted, String found) {
    if (!key.endsWith(".ms")) {
      return wanted.equals(found);
    }
    long value = Long.parseLong(found);
    return value < 0 || value >= Long.parseLong(wanted);
  }
}
