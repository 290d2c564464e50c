package io.waterclock.cli.change;

import io.waterclock.cli.cluster.Cluster;
import io.waterclock.cli.live.Instance;
import io.waterclock.cli.live.Instances;
import io.waterclock.cli.live.LiveSchedule;
import io.waterclock.cli.live.LiveState;
import io.waterclock.cli.live.NewestWatermark;
import io.waterclock.cli.read.EffectiveDefinition;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.topics.Partitions;
import io.waterclock.schemas.avro.Schedule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/**
 * The schedules of an owner. The definition in force determines the owner; it comes from the
 * topics, or, if they no longer hold it, from the instance that owns the partition.
 *
 * @param ids in ascending order
 * @param unknown the ids of schedules whose owner is unknown, in ascending order
 */
record OwnedSchedules(List<String> ids, List<String> unknown) {
  private static final int AT_ONCE = 64;

  /**
   * Asks instances only if necessary. A request takes up to 0.1 s; many run at a time, because one
   * tick answers all that wait.
   */
  static OwnedSchedules of(String owner, Cluster cluster, List<KnownSchedule> entries) {
    return entries.stream().allMatch(EffectiveDefinition::isKnown)
        ? of(owner, entries, entry -> Optional.empty())
        : of(owner, entries, asking(cluster));
  }

  /**
   * @param asked the answer of the instance that owns a schedule; empty if none answers
   */
  static OwnedSchedules of(
      String owner,
      List<KnownSchedule> entries,
      Function<KnownSchedule, Optional<LiveSchedule>> asked) {
    Map<String, Optional<LiveSchedule>> answers = answers(entries, asked);
    List<String> ids = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    for (KnownSchedule entry : entries) {
      Optional<LiveSchedule> answer = answers.getOrDefault(entry.id(), Optional.empty());
      if (answers.containsKey(entry.id()) && answer.isEmpty()) {
        unknown.add(entry.id());
      } else if (owner(entry, answer).filter(owner::equals).isPresent()) {
        ids.add(entry.id());
      }
    }
    return new OwnedSchedules(ids, unknown);
  }

  private static Map<String, Optional<LiveSchedule>> answers(
      List<KnownSchedule> entries, Function<KnownSchedule, Optional<LiveSchedule>> asked) {
    ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
    try {
      Map<String, CompletableFuture<Optional<LiveSchedule>>> asking =
          entries.stream()
              .filter(entry -> !EffectiveDefinition.isKnown(entry))
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

  /** Also empty for a schedule that its instance does not know: it fires nothing. */
  private static Optional<String> owner(KnownSchedule entry, Optional<LiveSchedule> answer) {
    return answer.isPresent()
        ? answer.flatMap(LiveSchedule::schedule).flatMap(LiveSchedule.Details::owner)
        : entry.schedule().map(Schedule::getOwner);
  }

  /** Does not ask for schedules of a partition for which no instance answered before. */
  private static Function<KnownSchedule, Optional<LiveSchedule>> asking(Cluster cluster) {
    List<TopicPartition> partitions = cluster.partitions(cluster.topics().schedules());
    Map<Integer, NewestWatermark> watermarks = NewestWatermark.all(cluster, partitions.size());
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
