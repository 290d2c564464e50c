package io.waterclock.topology.scheduler.emit;

import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.TargetRecord;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.streams.processor.StreamPartitioner;

/** Sends fires to the partition of their schedule id, so that a schedule's fires stay in order. */
public final class FirePartitioner implements StreamPartitioner<byte[], byte[]> {

  @Override
  @SuppressWarnings("removal") // 4.4 has no other abstract method yet
  public Optional<Set<Integer>> partitions(
      String topic, byte[] key, byte[] value, int numPartitions) {
    if (numPartitions == 1) {
      return Optional.of(Set.of(0));
    }
    return Optional.of(Set.of(HomePartition.of(TargetRecord.scheduleId(key), numPartitions)));
  }
}
