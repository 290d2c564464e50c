package io.waterclock.connect.webhook;

import io.waterclock.connect.PluginVersion;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.Config;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.sink.SinkConnector;

/** Sends each fire, as a CloudEvent, to a webhook. See {@link WebhookSinkTask}. */
public final class WebhookSinkConnector extends SinkConnector {
  private Map<String, String> settings = Map.of();

  @Override
  public String version() {
    return PluginVersion.get();
  }

  @Override
  public ConfigDef config() {
    return WebhookConfig.DEFINITION;
  }

  /** Reports errors in the combination of settings at {@code url}. */
  @Override
  public Config validate(Map<String, String> given) {
    Config config = super.validate(given);
    if (config.configValues().stream().allMatch(value -> value.errorMessages().isEmpty())) {
      try {
        WebhookConfig.of(given);
      } catch (ConfigException e) {
        config.configValues().stream()
            .filter(value -> value.name().equals(WebhookConfig.URL))
            .forEach((ConfigValue value) -> value.addErrorMessage(e.getMessage()));
      }
    }
    return config;
  }

  @Override
  public void start(Map<String, String> given) {
    WebhookConfig.of(given);
    settings = Map.copyOf(given);
  }

  @Override
  public Class<? extends Task> taskClass() {
    return WebhookSinkTask.class;
  }

  @Override
  public List<Map<String, String>> taskConfigs(int maxTasks) {
    return Collections.nCopies(maxTasks, settings);
  }

  @Override
  public void stop() {}
}
