package io.waterclock.cli.transfer;

import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.ProgressLines;
import io.waterclock.cli.cluster.SchedulerGroup;
import io.waterclock.cli.cluster.ZoneOption;
import io.waterclock.cli.terminal.Terminal;
import io.waterclock.client.topics.ReadProgress;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where what a scheduler knows is taken from. */
final class SourceOptions {
  @Option(
      names = "--from-topics",
      description =
          "Take what the topics tell (schedules, revisions, status, watermarks, fires, missed)"
              + " instead of the scheduler's own state, which is more exact: for when that is gone.")
  boolean fromTopics;

  @Option(
      names = "--decided-through",
      paramLabel = "INSTANT",
      description = "Count every schedule as decided up to this instant: nothing before it fires.")
  Optional<Instant> decidedThrough = Optional.empty();

  @Mixin ZoneOption defaultZone = new ZoneOption();

  private Optional<TopicsSource> topics = Optional.empty();

  ExportSource of(Cluster cluster, SchedulerGroup group, Terminal terminal) {
    ReadProgress progress = ProgressLines.on(terminal);
    if (!fromTopics) {
      return new ChangelogSource(cluster, group, progress);
    }
    TopicsSource source =
        new TopicsSource(cluster, group, defaultZone.zone(), decidedThrough, progress);
    topics = Optional.of(source);
    return source;
  }

  /** Schedules of which the topics do not tell from when they count. */
  List<String> guessed() {
    return topics.map(TopicsSource::guessed).orElse(List.of());
  }
}
