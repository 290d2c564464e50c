package io.waterclock.cli.cluster;

import io.waterclock.cli.terminal.Failure;
import io.waterclock.runtime.config.ConfigSources;
import io.waterclock.runtime.config.InvalidConfigException;
import io.waterclock.runtime.config.WaterclockConfig;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options for the settings of a scheduler that is to start on a cluster. */
public final class StartOptions {
  @Mixin SchedulerOptions scheduler = new SchedulerOptions();

  @Option(
      names = "--partitions",
      paramLabel = "COUNT",
      description = "The setting partitions (default: 12).")
  Optional<String> partitions = Optional.empty();

  @Mixin TopicOptions topics = new TopicOptions();

  /** The scheduler on a cluster where it has started. */
  public SchedulerGroup scheduler(Cluster cluster) {
    return scheduler.on(cluster);
  }

  /**
   * The configuration as {@code waterclock run} would have it: from the environment, from the
   * connection, whose file may be the scheduler's, and from these options, which win.
   */
  public WaterclockConfig on(ConnectionOptions connection) {
    Map<String, String> settings =
        ConfigSources.gather(Optional.empty(), System.getenv(), connection.toContext());
    settings.keySet().removeIf(key -> key.matches("context|timeout|(log|console)(\\..*)?"));
    scheduler.applicationId.ifPresent(value -> settings.put("application.id", value));
    partitions.ifPresent(value -> settings.put("partitions", value));
    topics.addTo(settings);
    try {
      return WaterclockConfig.parse(settings);
    } catch (InvalidConfigException e) {
      throw new Failure(e.problems(), e);
    }
  }
}
