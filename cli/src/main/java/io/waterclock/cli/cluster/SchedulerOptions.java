package io.waterclock.cli.cluster;

import io.waterclock.runtime.config.WaterclockConfig;
import io.waterclock.schemas.Topics;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The option that names the scheduler of the topics. */
public final class SchedulerOptions {
  @Option(
      names = "--application-id",
      paramLabel = "ID",
      description =
          "The application.id of the scheduler, if configured (default: the prefix with -scheduler"
              + " appended).")
  Optional<String> applicationId = Optional.empty();

  public SchedulerGroup on(Cluster cluster) {
    Topics topics = cluster.topics();
    return new SchedulerGroup(
        cluster,
        applicationId.orElseGet(() -> topics.prefix() + WaterclockConfig.APPLICATION_ID_ENDING));
  }
}
