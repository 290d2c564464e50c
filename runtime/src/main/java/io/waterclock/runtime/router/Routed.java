package io.waterclock.runtime.router;

import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.streams.processor.TopicNameExtractor;

/** A value with its destination topic. Never compared. */
@SuppressWarnings("ArrayRecordComponent")
public record Routed(byte[] value, String topic) {

  static Serializer<Routed> serializer() {
    return (topic, routed) -> routed.value();
  }

  static TopicNameExtractor<byte[], Routed> topics() {
    return (key, routed, context) -> routed.topic();
  }
}
