package io.waterclock.cli.cluster;

import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options for topics that a scheduler, or a command in its place, creates. */
public final class TopicOptions {
  @Option(
      names = "--replication-factor",
      paramLabel = "COUNT",
      description = "The setting replication.factor (default: the broker's).")
  Optional<String> replicationFactor = Optional.empty();

  @Option(
      names = "--accept",
      paramLabel = "KEY[,KEY...]",
      description =
          "The setting topics.accept: settings of topics that the cluster need not have (default:"
              + " none).")
  Optional<String> accept = Optional.empty();

  /** Adds those that are given to the settings of a scheduler. */
  public void addTo(Map<String, String> settings) {
    replicationFactor.ifPresent(value -> settings.put("replication.factor", value));
    accept.ifPresent(value -> settings.put("topics.accept", value));
  }
}
