package io.waterclock.topology.scheduler.emit;

import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.TargetRecord;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.streams.processor.StreamPartitioner;

/**
 * Sends fires to the partition of their schedule id, so that a schedule's fires stay in order.
 *
 * <p>Those of delayed records without a name of their own stay together as their schedules do:
 * records with one key arrive in order because all of them have one partition all the way, also if
 * the topic of the fires has got more partitions. No consumer but the router has a use for them.
 *
 * @param homePartitions how many partitions the topic of the schedules has
 */
public record FirePartitioner(int homePartitions) implements StreamPartitioner<byte[], byte[]> {
  /** Begins the ids of delayed records that have no name of their own. */
  public static final String UNNAMED = "later/";

  private static final byte[] UNNAMED_BYTES = UNNAMED.getBytes(StandardCharsets.US_ASCII);

  @Override
  @SuppressWarnings("removal") // 4.4 has no other abstract method yet
  public Optional<Set<Integer>> partitions(
      String topic, byte[] key, byte[] value, int numPartitions) {
    if (numPartitions == 1) {
      return Optional.of(Set.of(0));
    }
    byte[] id = TargetRecord.scheduleId(key);
    return Optional.of(
        Set.of(
            isUnnamed(id)
                ? HomePartition.of(id, homePartitions) % numPartitions
                : HomePartition.of(id, numPartitions)));
  }

  private static boolean isUnnamed(byte[] id) {
    int length = UNNAMED_BYTES.length;
    return id.length > length && Arrays.equals(id, 0, length, UNNAMED_BYTES, 0, length);
  }
}
