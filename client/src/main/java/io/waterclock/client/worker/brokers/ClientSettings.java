package io.waterclock.client.worker.brokers;

import io.waterclock.schemas.ReaderSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * The settings of a worker's Kafka clients: those that the worker needs and those that its user
 * adds.
 */
public final class ClientSettings {
  private static final long LEAST_PATIENCE_MS = 15_000;

  private ClientSettings() {}

  /** The consumer of fires. */
  public static Map<String, Object> consumer(
      Map<String, Object> common, Map<String, Object> own, String groupId) {
    Map<String, Object> settings = new HashMap<>();
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    // a buffer of Kafka's 64 kB overflows, and TCP sends again 200 ms later; the system's grows
    settings.put(ConsumerConfig.RECEIVE_BUFFER_CONFIG, -1);
    settings.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, ReaderSettings.FETCH_MAX_BYTES);
    settings.putAll(common);
    settings.putAll(own);
    if (!"consumer".equals(settings.get(ConsumerConfig.GROUP_PROTOCOL_CONFIG))) {
      settings.putIfAbsent(
          ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
          CooperativeStickyAssignor.class.getName());
    }
    settings.put(ConsumerConfig.GROUP_ID_CONFIG, groupId);
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    return Map.copyOf(settings);
  }

  /** How long heartbeats may stay unanswered before the worker counts the group as away. */
  public static Duration heartbeatPatience(Map<String, Object> consumer) {
    Object interval = consumer.getOrDefault(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, 3_000);
    long intervalMs = Long.parseLong(String.valueOf(interval));
    return Duration.ofMillis(Math.max(LEAST_PATIENCE_MS, 3 * intervalMs));
  }

  /** For reading a partition to its end. */
  public static Map<String, Object> withoutGroup(Map<String, Object> consumer) {
    Map<String, Object> settings = new HashMap<>(consumer);
    settings.keySet().removeIf(name -> name.startsWith("group."));
    settings.remove(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG);
    return Map.copyOf(settings);
  }

  /** The producer of outcomes and dead letters. */
  public static Map<String, Object> producer(Map<String, Object> common, Map<String, Object> own) {
    Map<String, Object> settings = new HashMap<>();
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 10_000);
    settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000);
    settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 30_000);
    settings.putAll(common);
    settings.putAll(own);
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    return Map.copyOf(settings);
  }
}
