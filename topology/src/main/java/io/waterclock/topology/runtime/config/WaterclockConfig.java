package io.waterclock.topology.runtime.config;

import io.waterclock.definition.AllowList;
import io.waterclock.definition.OwnerLimits;
import io.waterclock.definition.TargetRules;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.registry.RegistrySettings;
import io.waterclock.topology.scheduler.context.Settings.Pace;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.streams.StreamsConfig;

/**
 * The configuration of an instance. Immutable and valid; {@link #parse} is the way to one.
 *
 * @param bootstrapServers of the Kafka cluster
 * @param applicationId the consumer group and the prefix of the internal topics
 * @param topics the names of the topics
 * @param partitions of topics that are created; empty: 12, or whatever the schedules topic has
 * @param replicationFactor of topics that are created; empty: the broker's default
 * @param format in which the scheduler writes
 * @param registry where the schemas of the Confluent wire format are; empty: nowhere
 * @param defaultTimezone for schedules that name none
 * @param instance the name of this instance
 * @param health where health is served; empty: nowhere
 * @param minInterval the shortest interval of an {@code every}
 * @param pace how often and how long the processors work
 * @param completedRetention how long a completed schedule is kept
 * @param removedRetention how long at least a schedule that is gone is remembered
 * @param stateCompactionAge of files of local state, from which on they are compacted
 * @param stateMaxAge inclusive: how old local state may be when an instance takes it up again
 * @param targets which topics schedules may name as their targets; none when empty
 * @param owners what owners may have
 * @param imports of which schedules a record may say how far they were elsewhere; none when empty
 * @param abortsTransactions true when transactions of its own that hang are aborted
 * @param kafka settings that go to Kafka Streams and its clients as they are
 */
public record WaterclockConfig(
    String bootstrapServers,
    String applicationId,
    Topics topics,
    Optional<Integer> partitions,
    Optional<Integer> replicationFactor,
    WireFormat format,
    Optional<RegistrySettings> registry,
    ZoneId defaultTimezone,
    String instance,
    Optional<HealthAddress> health,
    Duration minInterval,
    Pace pace,
    Duration completedRetention,
    Duration removedRetention,
    Duration stateCompactionAge,
    Duration stateMaxAge,
    AllowList targets,
    OwnerLimits owners,
    AllowList imports,
    boolean abortsTransactions,
    Map<String, String> kafka) {

  /** How many partitions topics get when nothing else is said. */
  public static final int DEFAULT_PARTITIONS = 12;

  /** What follows the prefix in an application id that is not configured. */
  public static final String APPLICATION_ID_ENDING = "-scheduler";

  /** True when the group is to know the instance again when it comes back. */
  public boolean isStaticMember() {
    String key = ConsumerConfig.GROUP_INSTANCE_ID_CONFIG;
    return Stream.of(StreamsConfig.mainConsumerPrefix(key), StreamsConfig.consumerPrefix(key), key)
        .anyMatch(kafka::containsKey);
  }

  /**
   * Where health is served.
   *
   * @param port 0 for any free one
   * @param hosts other names by which the instance may be asked
   */
  public record HealthAddress(String host, int port, List<String> hosts) {
    public HealthAddress {
      hosts = List.copyOf(hosts);
    }
  }

  /** Which topics may be targets. */
  public TargetRules targetRules() {
    return new TargetRules(targets, owners, topics, applicationId);
  }

  /**
   * Reads settings by their documented keys.
   *
   * @throws InvalidConfigException with every problem at once
   */
  public static WaterclockConfig parse(Map<String, String> settings) {
    return new ConfigParser(settings).parse();
  }
}
