package io.waterclock.runtime.config;

import io.waterclock.schemas.registry.RegistrySettings;
import io.waterclock.schemas.text.Nearest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.streams.StreamsConfig;

/** Checks the settings of Kafka: known settings pass through, unknown ones are problems. */
final class KafkaSettings {
  /** Settings that the scheduler's promises need, with their only allowed value. */
  private static final Map<String, String> FIXED =
      Map.of(
          StreamsConfig.PROCESSING_GUARANTEE_CONFIG,
          StreamsConfig.EXACTLY_ONCE_V2,
          "group.protocol",
          "classic",
          ConsumerConfig.ISOLATION_LEVEL_CONFIG,
          "read_committed");

  /** A handler that ignores a failure would lose a fire and keep its progress. */
  private static final Set<String> REFUSED =
      Set.of(
          "processing.exception.handler",
          "production.exception.handler",
          "default.production.exception.handler",
          "deserialization.exception.handler",
          "default.deserialization.exception.handler");

  private static final List<String> CLIENT_PREFIXES =
      List.of(
          "main.consumer.",
          "restore.consumer.",
          "global.consumer.",
          "consumer.",
          "producer.",
          "admin.",
          "topic.");

  private static final List<ConfigDef> DEFINITIONS =
      List.of(
          StreamsConfig.configDef(),
          ProducerConfig.configDef(),
          ConsumerConfig.configDef(),
          AdminClientConfig.configDef());

  private KafkaSettings() {}

  /**
   * Returns the settings for Kafka.
   *
   * @param own the other settings of the scheduler, for suggestions
   * @param problems receives the problems
   */
  static Map<String, String> check(
      Map<String, String> settings, Set<String> own, List<String> problems) {
    Set<String> known = known(own);
    Map<String, String> result = new TreeMap<>();
    settings.forEach(
        (key, value) -> {
          String bare = bare(key);
          if (REFUSED.contains(bare)) {
            problems.add(key + ": cannot be set; exactly-once rests on its default. Leave it out");
          } else if (FIXED.containsKey(bare)) {
            if (!FIXED.get(bare).equals(value)) {
              problems.add(
                  "%s: must be %s; exactly-once rests on it. Leave it out"
                      .formatted(key, FIXED.get(bare)));
            }
          } else if (bare.equals(key) && !known.contains(key)) {
            problems.add(
                key
                    + ": is no setting of Waterclock, Kafka Streams or a Kafka client"
                    + Nearest.slipOf(key, known).map("; did you mean %s?"::formatted).orElse(""));
          } else {
            unreadable(bare, value).ifPresent(why -> problems.add(key + ": " + why));
            result.put(key, value);
          }
        });
    return Map.copyOf(result);
  }

  /** Why Kafka could not read a value; empty if it can. */
  private static Optional<String> unreadable(String bare, String value) {
    for (ConfigDef definition : DEFINITIONS) {
      ConfigDef.ConfigKey setting = definition.configKeys().get(bare);
      if (setting != null) {
        try {
          ConfigDef.parseType(bare, value, setting.type());
        } catch (ConfigException e) {
          return Optional.ofNullable(e.getMessage());
        }
      }
    }
    return Optional.empty();
  }

  private static String bare(String key) {
    for (String prefix : CLIENT_PREFIXES) {
      if (key.startsWith(prefix)) {
        return key.substring(prefix.length());
      }
    }
    return key;
  }

  private static Set<String> known(Set<String> own) {
    Set<String> known = new TreeSet<>(own);
    known.addAll(RegistrySettings.KEYS);
    DEFINITIONS.forEach(definition -> known.addAll(definition.names()));
    known.add(TopicConfig.SEGMENT_BYTES_CONFIG);
    return known;
  }
}
