package io.waterclock.cli.change;

import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.live.Instance;
import io.waterclock.cli.live.Instances;
import io.waterclock.cli.live.LiveSchedule;
import io.waterclock.cli.live.LiveState;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.schedules.WrittenDefinition;
import io.waterclock.client.topics.NewestWatermark;
import io.waterclock.client.topics.Partitions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/**
 * The schedules whose definitions match a condition. The definition in force decides; it comes from
 * the topics, or, if they no longer hold it, from the instance that owns the partition.
 *
 * @param ids in ascending order
 * @param unknown the ids of schedules whose definition is unknown, in ascending order
 */
record SelectedSchedules(List<String> ids, List<String> unknown) {
  private static final int AT_ONCE = 64;

  /**
   * Asks instances only if necessary. A request takes up to 0.1 s; many run at a time, because one
   * tick answers all that wait.
   */
  static SelectedSchedules of(
      Predicate<KnownSchedule> wanted, Cluster cluster, List<KnownSchedule> entries) {
    return entries.stream().allMatch(KnownSchedule::isDefinitionKnown)
        ? of(wanted, entries, entry -> Optional.empty())
        : of(wanted, entries, asking(cluster));
  }

  /**
   * @param asked the answer of the instance that owns a schedule; empty if none answers
   */
  static SelectedSchedules of(
      Predicate<KnownSchedule> wanted,
      List<KnownSchedule> entries,
      Function<KnownSchedule, Optional<LiveSchedule>> asked) {
    Map<String, Optional<LiveSchedule>> answers = answers(entries, asked);
    List<String> ids = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    for (KnownSchedule entry : entries) {
      if (!answers.containsKey(entry.id())) {
        if (wanted.test(entry)) {
          ids.add(entry.id());
        }
        continue;
      }
      Optional<LiveSchedule> answer = answers.getOrDefault(entry.id(), Optional.empty());
      if (answer.isEmpty()) {
        unknown.add(entry.id());
      } else if (inForce(entry, answer.get()).filter(wanted).isPresent()) {
        ids.add(entry.id());
      }
    }
    return new SelectedSchedules(ids, unknown);
  }

  private static Map<String, Optional<LiveSchedule>> answers(
      List<KnownSchedule> entries, Function<KnownSchedule, Optional<LiveSchedule>> asked) {
    ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
    try {
      Map<String, CompletableFuture<Optional<LiveSchedule>>> asking =
          entries.stream()
              .filter(entry -> !entry.isDefinitionKnown())
              .collect(
                  Collectors.toMap(
                      KnownSchedule::id,
                      entry -> CompletableFuture.supplyAsync(() -> asked.apply(entry), threads)));
      return asking.entrySet().stream()
          .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().join()));
    } finally {
      threads.shutdownNow();
    }
  }

  /** Empty for a schedule that its instance does not know: it fires nothing. */
  private static Optional<KnownSchedule> inForce(KnownSchedule entry, LiveSchedule answer) {
    return answer
        .schedule()
        .map(
            details ->
                entry.with(
                    Optional.of(
                        new WrittenDefinition(
                            String.valueOf(details.status().getRevision()),
                            Optional.of(details.definition())))));
  }

  /** Does not ask for schedules of a partition for which no instance answered before. */
  private static Function<KnownSchedule, Optional<LiveSchedule>> asking(Cluster cluster) {
    List<TopicPartition> partitions = cluster.partitions(cluster.topics().schedules());
    Map<Integer, NewestWatermark> watermarks = cluster.watermarks(partitions.size());
    Instances instances = new Instances();
    LiveState live = instances.live(Instance.named(watermarks));
    return entry -> {
      int partition = Partitions.home(entry.id(), partitions).partition();
      return live.of(partition).isEmpty()
          ? Optional.empty()
          : instances.schedule(entry.id(), partition, watermarks);
    };
  }
}
