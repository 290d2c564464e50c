package io.waterclock.spring.kafka;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * How Waterclock's clients reach the cluster: the part of a Spring factory's settings that every
 * Kafka client has. They contain what Spring Boot has added from connection details and SSL
 * bundles. Settings of consumers and producers, such as groups, serializers and transactions, are
 * for the application's own clients and are left out. Settings that Kafka does not know stay, as a
 * class that Kafka loads for the connection may read them.
 *
 * @param settings with {@code bootstrap.servers} as text
 */
public record ConnectionSettings(Map<String, Object> settings) {
  public ConnectionSettings {
    settings = Map.copyOf(settings);
  }

  /**
   * @param ofFactory the settings of a consumer or producer factory of Spring
   * @param more settings that win
   * @return empty if none of them has {@code bootstrap.servers}
   */
  public static Optional<ConnectionSettings> of(
      Map<String, ?> ofFactory, Map<String, String> more) {
    TreeSet<String> ofAll = new TreeSet<>(AdminClientConfig.configNames());
    ofAll.retainAll(ConsumerConfig.configNames());
    TreeSet<String> special = new TreeSet<>(ConsumerConfig.configNames());
    special.addAll(ProducerConfig.configNames());
    special.addAll(AdminClientConfig.configNames());
    special.removeAll(ofAll);
    special.add(CommonClientConfigs.CLIENT_ID_CONFIG);
    special.add(CommonClientConfigs.METRIC_REPORTER_CLASSES_CONFIG);
    Map<String, Object> settings = new HashMap<>();
    ofFactory.forEach(
        (key, value) -> {
          if (value != null && !special.contains(key) && !isOfSerializers(key)) {
            settings.put(key, value);
          }
        });
    settings.putAll(more);
    settings.computeIfPresent(
        CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, (key, servers) -> text(servers));
    return Optional.of(new ConnectionSettings(settings))
        .filter(known -> known.settings.containsKey(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG));
  }

  /** Spring Boot has a list of addresses. */
  private static String text(Object servers) {
    return servers instanceof Iterable<?> several
        ? StreamSupport.stream(several.spliterator(), false)
            .map(String::valueOf)
            .collect(Collectors.joining(","))
        : String.valueOf(servers);
  }

  /** Those of Spring's own serializers. */
  private static boolean isOfSerializers(String key) {
    return key.startsWith("spring.json.") || key.startsWith("spring.deserializer.");
  }

  /** The addresses of the brokers, with commas between them. */
  public String bootstrapServers() {
    return String.valueOf(settings.get(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG));
  }
}
