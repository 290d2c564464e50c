package io.waterclock.cli.live;

import io.waterclock.schemas.avro.Watermark;
import java.util.List;
import java.util.Optional;

/**
 * What the instances themselves say.
 *
 * @param answering those that answered
 * @param partitions those that they have
 */
public record LiveState(List<Instance> answering, List<LivePartition> partitions) {
  /** Nobody has answered. */
  public static final LiveState NONE = new LiveState(List.of(), List.of());

  /** Whoever has a partition; more than one while it moves. */
  public List<LivePartition> of(int partition) {
    return partitions.stream().filter(live -> live.number() == partition).toList();
  }

  /** What the owner of a partition says, if one answers. */
  public Optional<Watermark> watermark(int partition) {
    return of(partition).stream().findFirst().map(LivePartition::watermark);
  }
}
