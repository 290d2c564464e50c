package io.waterclock.spring.kafka;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * How Waterclock's clients reach the cluster: the part of a Spring factory's settings that every
 * Kafka client has. They contain what Spring Boot has added from connection details and SSL
 * bundles. Settings of consumers and producers, such as groups, serializers and transactions, are
 * for the application's own clients and are left out.
 *
 * @param settings with {@code bootstrap.servers}
 */
public record ConnectionSettings(Map<String, Object> settings) {
  public ConnectionSettings {
    settings = Map.copyOf(settings);
  }

  /**
   * @param ofFactory the settings of a consumer or producer factory of Spring
   * @param more settings that win
   * @throws MissingBrokersException if none of them has {@code bootstrap.servers}
   */
  public static ConnectionSettings of(Map<String, ?> ofFactory, Map<String, String> more) {
    TreeSet<String> special = new TreeSet<>(ConsumerConfig.configNames());
    special.addAll(ProducerConfig.configNames());
    special.removeAll(AdminClientConfig.configNames());
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
    if (!settings.containsKey(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG)) {
      throw new MissingBrokersException();
    }
    return new ConnectionSettings(settings);
  }

  /** Those of Spring's own serializers. */
  private static boolean isOfSerializers(String key) {
    return key.startsWith("spring.json.") || key.startsWith("spring.deserializer.");
  }

  /** The addresses of the brokers, with commas between them. */
  public String bootstrapServers() {
    Object servers = settings.get(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG);
    return servers instanceof Iterable<?> several
        ? java.util.stream.StreamSupport.stream(several.spliterator(), false)
            .map(String::valueOf)
            .collect(Collectors.joining(","))
        : String.valueOf(servers);
  }
}
