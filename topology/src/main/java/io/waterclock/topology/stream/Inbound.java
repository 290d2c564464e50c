package io.waterclock.topology.stream;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * A record of the schedules topic as it was read.
 *
 * @param key empty when the record has none
 * @param value empty for a tombstone
 */
record Inbound(
    Optional<byte[]> key,
    Optional<byte[]> value,
    Headers headers,
    Instant timestamp,
    String topic,
    int partition,
    long offset) {

  static Inbound of(Record<byte[], byte[]> record, RecordMetadata metadata) {
    return new Inbound(
        Optional.ofNullable(record.key()),
        Optional.ofNullable(record.value()),
        record.headers(),
        Instant.ofEpochMilli(record.timestamp()),
        metadata.topic(),
        metadata.partition(),
        metadata.offset());
  }

  /** topic-partition@offset. */
  String revision() {
    return topic + "-" + partition + "@" + offset;
  }

  /** The key for a person. */
  String keyText() {
    return key.map(bytes -> new String(bytes, StandardCharsets.UTF_8)).orElse("");
  }
}
