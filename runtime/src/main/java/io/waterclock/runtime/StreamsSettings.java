package io.waterclock.runtime;

import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.runtime.state.SharedCache;
import io.waterclock.schemas.ReaderSettings;
import io.waterclock.topology.limiter.LimiterTopology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.StreamsConfig;

/**
 * The settings of Kafka Streams and its clients: our defaults, overridden by the operator's
 * settings.
 */
final class StreamsSettings {
  private static final String ROUTER = "-router";
  private static final String INTAKE = "-intake";
  private static final String LIMITER = LimiterTopology.APPLICATION_ENDING;

  private static final String CONSUMER = StreamsConfig.CONSUMER_PREFIX;
  private static final String MAIN = StreamsConfig.MAIN_CONSUMER_PREFIX;
  private static final String GLOBAL = StreamsConfig.GLOBAL_CONSUMER_PREFIX;
  private static final String RESTORE = StreamsConfig.RESTORE_CONSUMER_PREFIX;
  private static final String PRODUCER = StreamsConfig.PRODUCER_PREFIX;

  private StreamsSettings() {}

  /**
   * @param address the HOST:PORT at which this instance answers queries, advertised to the others
   */
  static Properties of(WaterclockConfig config, Optional<String> address) {
    Properties settings = new Properties();
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, config.applicationId());
    settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, config.bootstrapServers());
    settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    // a stream thread ticks once per loop, so this bounds the lateness of a tick
    settings.put(StreamsConfig.POLL_MS_CONFIG, 1);
    settings.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 1_000);
    // records of all inputs in the order of their timestamps: a task waits for what the brokers
    // have, and not for what may be written
    settings.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, 0L);
    settings.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0);
    config
        .replicationFactor()
        .ifPresent(factor -> settings.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, factor));
    address.ifPresent(at -> settings.put(StreamsConfig.APPLICATION_SERVER_CONFIG, at));
    settings.putAll(config.kafka());
    // the group notices a dead instance after 6 s instead of 45 s
    unlessSet(settings, config, MAIN, ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, 6_000);
    // a member learns of a rebalance from a heartbeat, and members that have learned of it commit
    // nothing until all have
    unlessSet(settings, config, MAIN, ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, 100);
    int fetchBytes = ReaderSettings.FETCH_MAX_BYTES;
    unlessSet(settings, config, MAIN, ConsumerConfig.FETCH_MAX_BYTES_CONFIG, fetchBytes);
    unlessSet(settings, config, GLOBAL, ConsumerConfig.FETCH_MAX_BYTES_CONFIG, fetchBytes);
    // a buffer of Kafka's 64 kB overflows, and TCP sends again 200 ms later; the system's grows
    unlessSet(settings, config, CONSUMER, ConsumerConfig.RECEIVE_BUFFER_CONFIG, -1);
    unlessSet(settings, config, RESTORE, ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 10_000);
    // a request of the next store's offset waits behind a fetch that finds nothing
    unlessSet(settings, config, RESTORE, ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 20);
    unlessSet(settings, config, PRODUCER, ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, 10_000);
    // requests must not expire in an outage: a producer whose batch or commit has timed out cannot
    // continue, and its thread dies; after the outage the broker says whether the transaction still
    // exists
    unlessSet(
        settings, config, PRODUCER, ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Integer.MAX_VALUE);
    unlessSet(settings, config, PRODUCER, ProducerConfig.MAX_BLOCK_MS_CONFIG, 300_000);
    unlessSet(settings, config, PRODUCER, ProducerConfig.LINGER_MS_CONFIG, 5);
    unlessSet(settings, config, PRODUCER, ProducerConfig.BATCH_SIZE_CONFIG, 256 * 1024);
    unlessSet(settings, config, PRODUCER, ProducerConfig.BUFFER_MEMORY_CONFIG, 64L << 20);
    return settings;
  }

  /**
   * The settings of the router: as of {@link #ofOneInput}, except that the producer gives up well
   * before its transaction times out. Routing fires again is cheap; waiting for one target is not.
   */
  static Properties ofRouter(WaterclockConfig config) {
    Properties settings = ofOneInput(config, ROUTER);
    int transactionMs = producer(config, ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, 10_000);
    int deliveryMs = transactionMs * 4 / 5;
    settings.put(
        StreamsConfig.producerPrefix(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG), deliveryMs);
    settings.put(
        StreamsConfig.producerPrefix(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG), deliveryMs / 2);
    settings.put(StreamsConfig.producerPrefix(ProducerConfig.MAX_BLOCK_MS_CONFIG), deliveryMs);
    return settings;
  }

  static Properties ofLimiter(WaterclockConfig config) {
    Properties settings = beside(config, LIMITER);
    settings.putIfAbsent(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, SharedCache.class);
    return settings;
  }

  static Properties ofIntake(WaterclockConfig config) {
    return ofOneInput(config, INTAKE);
  }

  /**
   * As of {@link #beside}, for tasks with one input, in which there is no order of inputs to keep:
   * to know that an input is empty, Kafka Streams formats a text at each look.
   */
  private static Properties ofOneInput(WaterclockConfig config, String ending) {
    Properties settings = beside(config, ending);
    settings.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, StreamsConfig.MAX_TASK_IDLE_MS_DISABLED);
    return settings;
  }

  /**
   * The settings of an application beside the scheduler: those of the scheduler, except that Kafka
   * Streams commits at an interval, and learns later of a rebalance: nothing that it delivers has
   * to be there to the millisecond, and heartbeats cost the broker as much as all else while idle.
   */
  private static Properties beside(WaterclockConfig config, String ending) {
    Properties settings = of(config, Optional.empty());
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, config.applicationId() + ending);
    settings.put(StreamsConfig.POLL_MS_CONFIG, 100);
    settings.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 100);
    unlessSet(settings, config, MAIN, ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, 500);
    Optional.ofNullable(config.kafka().get(CommonClientConfigs.CLIENT_ID_CONFIG))
        .ifPresent(id -> settings.put(CommonClientConfigs.CLIENT_ID_CONFIG, id + ending));
    return settings;
  }

  /**
   * The application ids of the applications beside the scheduler, which are also their consumer
   * groups.
   */
  static List<String> besideIds(WaterclockConfig config) {
    List<String> ids = new ArrayList<>();
    if (config.targetRules().isOn()) {
      ids.add(config.applicationId() + ROUTER);
      ids.add(config.applicationId() + INTAKE);
    }
    if (config.limits()) {
      ids.add(config.applicationId() + LIMITER);
    }
    return ids;
  }

  /**
   * Sets a setting of a client unless the operator has set it, with this prefix or a less specific
   * one: {@code main.consumer.}, {@code consumer.}, none.
   */
  private static void unlessSet(
      Properties settings, WaterclockConfig config, String prefix, String key, Object value) {
    String lessSpecific = prefix.substring(prefix.indexOf('.') + 1);
    if (Stream.of(prefix, lessSpecific, "")
        .noneMatch(one -> config.kafka().containsKey(one + key))) {
      settings.put(prefix + key, value);
    }
  }

  /** The operator's setting of the producer of Kafka Streams. */
  private static int producer(WaterclockConfig config, String key, int otherwise) {
    return Stream.of(StreamsConfig.producerPrefix(key), key)
        .map(config.kafka()::get)
        .filter(Objects::nonNull)
        .findFirst()
        .map(value -> Integer.parseInt(value.toString().strip()))
        .orElse(otherwise);
  }

  /**
   * The settings of a separate client: only how to reach the cluster. What is an object may belong
   * to that, under any name.
   */
  static Map<String, Object> client(WaterclockConfig config) {
    return client(config, "background");
  }

  /** The settings of a client that is called {@code name} in metrics and logs. */
  static Map<String, Object> client(WaterclockConfig config, String name) {
    Map<String, Object> settings = new HashMap<>(config.kafka());
    settings
        .entrySet()
        .removeIf(
            setting ->
                setting.getValue() instanceof String
                    && !AdminClientConfig.configNames().contains(setting.getKey()));
    settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, config.bootstrapServers());
    settings.put(CommonClientConfigs.CLIENT_ID_CONFIG, config.applicationId() + "-" + name);
    return settings;
  }

  static long commitIntervalMs(WaterclockConfig config) {
    return Long.parseLong(
        String.valueOf(of(config, Optional.empty()).get(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG))
            .strip());
  }

  static int maxRequestBytes(WaterclockConfig config) {
    return producer(config, ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 1 << 20);
  }

  /**
   * Leaves the group, so that the other instances take the partitions over without a time-out. A
   * static member comes back, so it stays in the group and keeps its partitions until the session
   * times out.
   */
  static CloseOptions closing(WaterclockConfig config, Duration timeout) {
    return CloseOptions.timeout(timeout)
        .withGroupMembershipOperation(
            config.isStaticMember()
                ? CloseOptions.GroupMembershipOperation.REMAIN_IN_GROUP
                : CloseOptions.GroupMembershipOperation.LEAVE_GROUP);
  }
}
