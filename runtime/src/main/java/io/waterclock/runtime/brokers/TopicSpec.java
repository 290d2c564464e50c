package io.waterclock.runtime.brokers;

import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.brokers.WantedSetting;
import io.waterclock.topology.limiter.LimiterTopology;
import io.waterclock.topology.scheduler.store.StateAge;
import io.waterclock.topology.scheduler.store.StateCopy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;

/**
 * The requirements for a topic.
 *
 * @param partitions the number at its creation, and the allowed numbers
 */
record TopicSpec(String name, List<Demand> demands, Partitions partitions) {
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

  /**
   * One setting of a topic.
   *
   * @param value for keys that end in {@code .ms} the least one, for {@code segment.bytes} the
   *     largest
   * @param wanted empty if the scheduler needs it
   */
  record Demand(String key, String value, Optional<WantedSetting> wanted) {
    boolean isMet(String found) {
      if (key.equals(TopicConfig.SEGMENT_BYTES_CONFIG)) {
        return Long.parseLong(found) <= Long.parseLong(value);
      }
      if (!key.endsWith(".ms")) {
        return value.equals(found);
      }
      long foundMs = Long.parseLong(found);
      return foundMs < 0 || foundMs >= Long.parseLong(value);
    }

    boolean isIn(Set<WantedSetting> settings) {
      return wanted.filter(settings::contains).isPresent();
    }

    /** The value, in words. */
    String required() {
      return (key.endsWith(".ms") ? "at least " : "") + value;
    }
  }

  private static final Duration WEEK = Duration.ofDays(7);
  private static final Duration MONTH = Duration.ofDays(30);
  private static final Duration NO_LIMIT = Duration.ofMillis(Long.MAX_VALUE);

  /**
   * Every topic that the scheduler reads or writes, and creates; the inputs come first. A scheduler
   * without targets has no topic for records to be delivered later: their producers fail then. One
   * without retries or limits has no topics for them: workers see that.
   */
  static List<TopicSpec> all(WaterclockConfig config) {
    Topics topics = config.topics();
    List<TopicSpec> all = new ArrayList<>(always(topics));
    if (config.targetRules().isOn()) {
      all.add(later(topics));
    }
    if (config.limits()) {
      all.add(compacted(topics.limits(), "CreateTime").in(Partitions.ONE));
      all.add(
          deleted(topics.waiting())
              .needing(TopicConfig.RETENTION_MS_CONFIG, ms(WEEK))
              .in(Partitions.AS_SCHEDULES));
    }
    if (config.targetRules().allowsRetries()) {
      all.add(deleted(topics.retries()).wanting(WantedSetting.RETENTION, WEEK));
    }
    return all;
  }

  private static TopicSpec later(Topics topics) {
    return deleted(topics.later()).needing(TopicConfig.RETENTION_MS_CONFIG, ms(WEEK));
  }

  private static List<TopicSpec> always(Topics topics) {
    return List.of(
        compacted(topics.schedules(), "CreateTime")
            .wanting(WantedSetting.DELETE_RETENTION, WEEK)
            .wanting(WantedSetting.MIN_COMPACTION_LAG, WEEK)
            // a stray keeps its timestamp, even if it waits long
            .wanting(WantedSetting.TIMESTAMP_BEFORE_MAX, NO_LIMIT),
        // stamped by the broker: a change counts from the moment when it is made
        compacted(topics.calendars(), "LogAppendTime")
            .wanting(WantedSetting.DELETE_RETENTION, WEEK)
            .wanting(WantedSetting.MIN_COMPACTION_LAG, WEEK)
            .in(Partitions.ONE),
        deleted(topics.commands())
            .needing(TopicConfig.RETENTION_MS_CONFIG, ms(WEEK))
            .in(Partitions.AS_SCHEDULES),
        deleted(topics.outcomes())
            .needing(TopicConfig.RETENTION_MS_CONFIG, ms(WEEK))
            // as with schedules
            .wanting(WantedSetting.TIMESTAMP_BEFORE_MAX, NO_LIMIT)
            .in(Partitions.AS_SCHEDULES),
        // a stray is kept until it has reached its home partition
        compacted(topics.strays(), "CreateTime").in(Partitions.AS_SCHEDULES),
        deleted(topics.fires()).wanting(WantedSetting.RETENTION, Topics.FIRES_KEPT),
        deleted(topics.missed()).wanting(WantedSetting.RETENTION, Topics.MISSED_KEPT),
        deleted(topics.alerts()).wanting(WantedSetting.RETENTION, MONTH),
        deleted(topics.revisions()).wanting(WantedSetting.RETENTION, MONTH),
        compacted(topics.status(), "CreateTime"),
        deleted(topics.answers()).wanting(WantedSetting.RETENTION, Duration.ofDays(1)),
        compacted(topics.watermarks(), "LogAppendTime"),
        deleted(topics.dlq()).wanting(WantedSetting.RETENTION, MONTH));
  }

  /** The topics of others that clients of the scheduler read: they need not exist. */
  static List<TopicSpec> ofOthers(Topics topics) {
    return List.of(uncompressed(topics.workers()));
  }

  /** The changelogs of the state, which Kafka Streams creates. */
  static List<TopicSpec> changelogs(WaterclockConfig config) {
    return StateCopy.changelogs(config.applicationId()).stream()
        .map(name -> changelog(name, StateAge.changelogSettings(config.stateMaxAge())))
        .toList();
  }

  /** The topic of the limiter's state, which Kafka Streams creates, too. */
  static List<TopicSpec> changelogOfLimiter(WaterclockConfig config) {
    return config.limits()
        ? List.of(changelog(LimiterTopology.changelog(config.applicationId()), Map.of()))
        : List.of();
  }

  private static TopicSpec changelog(String name, Map<String, String> settings) {
    TopicSpec spec =
        new TopicSpec(name, List.of(), Partitions.AS_SCHEDULES)
            .needing(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT);
    for (Map.Entry<String, String> setting : settings.entrySet()) {
      spec =
          spec.with(
              new Demand(setting.getKey(), setting.getValue(), WantedSetting.of(setting.getKey())));
    }
    return spec;
  }

  /**
   * A consumer must decompress the batches that a broker stores as the producer sent them, and no
   * consumer has a bound for the result: 10 KB of zstd can hold 300 MB of zeros. With this setting
   * the broker decompresses, and applies {@code max.message.bytes} to the result.
   */
  private static TopicSpec uncompressed(String name) {
    return new TopicSpec(name, List.of(), Partitions.ANY)
        .wanting(WantedSetting.COMPRESSION_TYPE, "uncompressed");
  }

  private static TopicSpec compacted(String name, String timestampType) {
    return uncompressed(name)
        .needing(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT)
        .needing(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, timestampType);
  }

  private static TopicSpec deleted(String name) {
    return uncompressed(name)
        .needing(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE)
        .needing(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "CreateTime");
  }

  private static String ms(Duration time) {
    return Long.toString(time.toMillis());
  }

  private TopicSpec wanting(WantedSetting setting, Duration value) {
    return wanting(setting, ms(value));
  }

  private TopicSpec wanting(WantedSetting setting, String value) {
    return with(new Demand(setting.key(), value, Optional.of(setting)));
  }

  private TopicSpec needing(String key, String value) {
    return with(new Demand(key, value, Optional.empty()));
  }

  private TopicSpec with(Demand demand) {
    return new TopicSpec(
        name, Stream.concat(demands.stream(), Stream.of(demand)).toList(), partitions);
  }

  private TopicSpec in(Partitions other) {
    return new TopicSpec(name, demands, other);
  }

  /**
   * The settings with which the topic is created.
   *
   * @param without settings to leave out where they are only wanted
   */
  Map<String, String> settings(Set<WantedSetting> without) {
    Map<String, String> settings = new TreeMap<>();
    demands.stream()
        .filter(demand -> !demand.isIn(without))
        .forEach(demand -> settings.put(demand.key(), demand.value()));
    return settings;
  }

  /**
   * @param schedules the number of partitions of the schedules topic
   */
  NewTopic toCreate(int schedules, WaterclockConfig config, Map<String, String> settings) {
    return new NewTopic(
            name,
            Optional.of(partitions.toCreate(schedules)),
            config.replicationFactor().map(Integer::shortValue))
        .configs(settings);
  }
}
