package io.waterclock.topology.scheduler.emit;

import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.streams.processor.StreamPartitioner;
import org.jspecify.annotations.Nullable;

/**
 * A value with its destination partition. Never compared.
 *
 * @param value null for a tombstone
 */
@SuppressWarnings("ArrayRecordComponent")
public record Addressed(byte @Nullable [] value, int partition) {

  public static Serializer<Addressed> serializer() {
    return (topic, addressed) -> addressed.value();
  }

  @SuppressWarnings("removal") // 4.4 has no other abstract method yet
  public static StreamPartitioner<byte[], Addressed> partitioner() {
    return (topic, key, addressed, partitions) ->
        Optional.of(Set.of(Math.floorMod(addressed.partition(), partitions)));
  }
}
