package io.waterclock.cli.transfer;

import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.ProgressLines;
import io.waterclock.cli.cluster.SchedulerGroup;
import io.waterclock.cli.cluster.ZoneOption;
import io.waterclock.cli.terminal.Terminal;
import io.waterclock.client.topics.ReadProgress;
import java.time.Instant;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that choose the source of an export. */
final class SourceOptions {
  @Option(
      names = "--from-topics",
      description =
          "Derive the schedules from the topics (schedules, revisions, status, watermarks, fires,"
              + " missed) if the scheduler's own state, which is more exact, is lost.")
  boolean fromTopics;

  @Option(
      names = "--decided-through",
      paramLabel = "INSTANT",
      description =
          "Count every schedule as decided up to this instant: no earlier occurrence fires.")
  Optional<Instant> decidedThrough = Optional.empty();

  @Mixin ZoneOption defaultZone = new ZoneOption();

  private Optional<TopicsSource> topics = Optional.empty();

  ExportSource of(Cluster cluster, SchedulerGroup group, Terminal terminal) {
    ReadProgress progress = new ProgressLines(terminal);
    if (!fromTopics) {
      return new ChangelogSource(cluster, group, progress);
    }
    TopicsSource source =
        new TopicsSource(cluster, group, defaultZone.zone(), decidedThrough, progress);
    topics = Optional.of(source);
    return source;
  }

  /** Names the schedules for which the topics no longer hold the instant from which they count. */
  void noteGuessed(Terminal terminal) {
    topics.ifPresent(
        source ->
            source
                .guessed()
                .forEach(
                    id ->
                        terminal.note(
                            id
                                + " counts from its last change: the first definition of its"
                                + " trigger is unknown")));
  }
}
