package io.waterclock.cli.live;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.cluster.Cluster;
import io.waterclock.client.schedules.KnownSchedule;
import io.waterclock.client.topics.NewestWatermark;
import io.waterclock.client.topics.Partitions;
import io.waterclock.schemas.avro.Watermark;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;

/**
 * The progress of the watchdog in each partition: from the instance that owns the partition, or
 * from the newest watermark if no instance answers for it.
 */
public record WatchdogProgress(
    List<TopicPartition> partitions, Map<Integer, NewestWatermark> watermarks, LiveState live) {

  public static WatchdogProgress of(Cluster cluster) {
    List<TopicPartition> partitions = cluster.partitions(cluster.topics().schedules());
    Map<Integer, NewestWatermark> watermarks = cluster.watermarks(partitions.size());
    return new WatchdogProgress(
        partitions, watermarks, new Instances().live(Instance.named(watermarks)));
  }

  /** The watchdog checked the schedule at this instant, or later in the same pass; empty: never. */
  public Optional<Instant> checked(KnownSchedule entry) {
    int partition = Partitions.home(entry.id(), partitions).partition();
    return entry.checkedSince(watermark(partition).map(Watermark::getWalk));
  }

  private Optional<Watermark> watermark(int partition) {
    return live.watermark(partition)
        .or(() -> Optional.ofNullable(watermarks.get(partition)).map(NewestWatermark::watermark));
  }

  public void addTo(ObjectNode tree, KnownSchedule entry) {
    int partition = Partitions.home(entry.id(), partitions).partition();
    tree.put("source", live.of(partition).isEmpty() ? "topics" : "instance");
    checked(entry).ifPresent(at -> tree.put("checked_since", at.toString()));
  }

  /** A note for people about the partitions for which no instance answers. */
  public Optional<String> note() {
    List<Integer> silent =
        IntStream.range(0, partitions.size())
            .filter(partition -> live.of(partition).isEmpty())
            .boxed()
            .toList();
    return silent.isEmpty()
        ? Optional.empty()
        : Optional.of(
            ("no instance answers for %s: the times of their last watchdog checks come"
                    + " from the topics")
                .formatted(
                    silent.size() == partitions.size()
                        ? "any partition"
                        : silent.stream()
                            .map(String::valueOf)
                            .collect(Collectors.joining(", ", "partition ", ""))));
  }
}
