package io.waterclock.cli.deploy;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.server.policy.AlterConfigPolicy;
import org.apache.kafka.server.policy.CreateTopicPolicy;

/**
 * Refuses some settings of topics, as the providers of managed clusters do: those in {@code
 * test.refused}, or all that are not in {@code test.allowed}.
 */
public final class SettingsPolicy implements CreateTopicPolicy, AlterConfigPolicy {
  private Set<String> refused = Set.of();
  private Set<String> allowed = Set.of();

  /** The settings of a broker with this policy. */
  static Map<String, String> of(String key, Set<String> settings) {
    return Map.of(
        key,
        String.join(" ", settings),
        "create.topic.policy.class.name",
        SettingsPolicy.class.getName(),
        "alter.config.policy.class.name",
        SettingsPolicy.class.getName());
  }

  @Override
  public void configure(Map<String, ?> configs) {
    refused = settings(configs, "test.refused");
    allowed = settings(configs, "test.allowed");
  }

  private static Set<String> settings(Map<String, ?> configs, String key) {
    Object value = configs.get(key);
    return value == null ? Set.of() : Set.of(value.toString().split(" "));
  }

  @Override
  public void validate(CreateTopicPolicy.RequestMetadata topic) {
    validate(topic.topic(), topic.configs());
  }

  @Override
  public void validate(AlterConfigPolicy.RequestMetadata resource) {
    validate(resource.resource().name(), resource.configs());
  }

  /** Kafka's own topics are the provider's. */
  private void validate(String topic, Map<String, String> settings) {
    if (topic.startsWith("__")) {
      return;
    }
    Set<String> wrong = new TreeSet<>(settings.keySet());
    wrong.removeIf(key -> !refused.contains(key) && (allowed.isEmpty() || allowed.contains(key)));
    if (!wrong.isEmpty()) {
      throw new PolicyViolationException("Config property '%s' is not yours".formatted(wrong));
    }
  }

  @Override
  public void close() {}
}
