package io.waterclock.cli.transfer;

import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.cluster.ProgressLines;
import io.waterclock.cli.cluster.SchedulerGroup;
import io.waterclock.cli.cluster.ZoneOption;
import io.waterclock.cli.terminal.Terminal;
import io.waterclock.client.topics.ReadProgress;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that choose the source of an export. */
final class SourceOptions {
  /** What to do about {@link #missing()}. */
  static final String REMEDY =
      "Write a valid definition of each, or delete it, and run the command again.";

  private static final int NAMED = 20;

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
    TopicsSource source = new TopicsSource(cluster, defaultZone.zone(), decidedThrough, progress);
    topics = Optional.of(source);
    return source;
  }

  /** Why schedules are not exported, by id: the topics do not show their definitions in force. */
  Map<String, String> missing() {
    return topics.map(source -> source.definitions().unknown()).orElse(Map.of());
  }

  /**
   * Names the schedules whose newest records may not be in force, and those for which the topics no
   * longer hold the instant from which they count.
   */
  void noteGuessed(Terminal terminal) {
    topics
        .map(source -> source.definitions().unsure())
        .filter(ids -> !ids.isEmpty())
        .ifPresent(
            ids ->
                terminal.note(
                    ("took the definitions of %s schedules from their newest records, because the"
                            + " topics no longer show whether these are in force: %s")
                        .formatted(ids.size(), String.join(", ", firstOf(ids)))));
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

  /** The first ones, and how many more there are. */
  static List<String> firstOf(List<String> all) {
    int more = all.size() - NAMED;
    return more > 0
        ? Stream.concat(all.stream().limit(NAMED), Stream.of("and " + more + " more")).toList()
        : all;
  }
}
