package io.waterclock.cli.cluster;

import io.waterclock.client.schedules.Schedules;
import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.schemas.registry.RegistrySettings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Clients beside a scheduler in its process, with the settings that the scheduler passes to its
 * own.
 *
 * @param settings the registry's, as they were given
 */
public record InstanceClients(WaterclockConfig config, Map<String, String> settings) {
  private static final List<String> OF_CONSUMERS = List.of("consumer.", "main.consumer.");
  private static final List<String> OF_PRODUCERS = List.of("producer.");

  /**
   * @throws io.waterclock.runtime.config.InvalidConfigException if they are wrong
   */
  public static InstanceClients of(Map<String, String> settings) {
    Map<String, String> registry = new HashMap<>(settings);
    registry.keySet().retainAll(RegistrySettings.KEYS);
    return new InstanceClients(WaterclockConfig.parse(settings), registry);
  }

  /** Reads topics. Does not connect yet. */
  public Cluster cluster() {
    return Cluster.of(clients(OF_CONSUMERS), config.bootstrapServers(), config.topics(), settings);
  }

  /** Sends changes; to be closed by the caller. Does not connect yet. */
  public Schedules schedules() {
    Map<String, Object> all = clients(OF_PRODUCERS);
    all.remove("transaction.timeout.ms");
    all.putAll(settings);
    return Schedules.builder(config.bootstrapServers())
        .prefix(config.topics().prefix())
        .kafka(all)
        .build();
  }

  private Map<String, Object> clients(List<String> prefixes) {
    Map<String, Object> all = new HashMap<>(config.kafka());
    for (String prefix : prefixes) {
      config
          .kafka()
          .forEach(
              (key, value) -> {
                if (key.startsWith(prefix)) {
                  all.put(key.substring(prefix.length()), value);
                }
              });
    }
    all.remove("group.id");
    all.remove("group.instance.id");
    all.put("bootstrap.servers", config.bootstrapServers());
    return all;
  }
}
