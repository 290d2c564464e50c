package io.waterclock.cli.live;

import io.waterclock.schemas.avro.Watermark;
import java.util.List;
import java.util.Optional;

/** The answers of the instances. */
public record LiveState(List<Instance> answering, List<LivePartition> partitions) {
  public static final LiveState NONE = new LiveState(List.of(), List.of());

  /** The owners of a partition; more than one while it moves. */
  public List<LivePartition> of(int partition) {
    return partitions.stream().filter(live -> live.number() == partition).toList();
  }

  public Optional<Watermark> watermark(int partition) {
    return of(partition).stream().findFirst().map(LivePartition::watermark);
  }
}
