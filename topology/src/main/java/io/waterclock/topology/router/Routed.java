package io.waterclock.topology.router;

import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.streams.processor.StreamPartitioner;
import org.apache.kafka.streams.processor.TopicNameExtractor;
import org.jspecify.annotations.Nullable;

/**
 * A value with its destination. Never compared.
 *
 * @param partition empty: the producer chooses it
 */
@SuppressWarnings("ArrayRecordComponent")
public record Routed(byte @Nullable [] value, String topic, Optional<Integer> partition) {

  static Serializer<Routed> serializer() {
    return (topic, routed) -> routed.value();
  }

  static TopicNameExtractor<byte[], Routed> topics() {
    return (key, routed, context) -> routed.topic();
  }

  @SuppressWarnings("removal") // 4.4 has no other abstract method yet
  static StreamPartitioner<byte[], Routed> partitions() {
    return (topic, key, routed, count) -> routed.partition().map(Set::of);
  }
}
