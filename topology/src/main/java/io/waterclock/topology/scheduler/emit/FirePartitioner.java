package io.waterclock.topology.scheduler.emit;

import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.TargetRecord;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.streams.processor.StreamPartitioner;

/**
 * Sends fires to {@link HomePartition#ofFires}.
 *
 * @param homePartitions how many partitions the topic of the schedules has
 */
public record FirePartitioner(int homePartitions) implements StreamPartitioner<byte[], byte[]> {
  @Override
  @SuppressWarnings("removal") // 4.4 has no other abstract method yet
  public Optional<Set<Integer>> partitions(
      String topic, byte[] key, byte[] value, int numPartitions) {
    return Optional.of(
        Set.of(
            numPartitions == 1
                ? 0
                : HomePartition.ofFires(
                    TargetRecord.scheduleId(key), homePartitions, numPartitions)));
  }
}
