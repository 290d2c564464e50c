package io.waterclock.topology.scheduler.input;

import io.waterclock.schemas.WireFormat;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * A record of an input topic, as read, but for headers {@link HeaderBounds beyond their bounds}.
 *
 * @param key empty when the record has none
 * @param value empty for a tombstone
 */
public record Inbound(
    Optional<byte[]> key,
    Optional<byte[]> value,
    Headers headers,
    Instant timestamp,
    String topic,
    int partition,
    long offset) {

  public Inbound {
    headers = HeaderBounds.cut(headers);
  }

  public static Inbound of(Record<byte[], byte[]> record, RecordMetadata metadata) {
    return new Inbound(
        Optional.ofNullable(record.key()),
        Optional.ofNullable(record.value()),
        record.headers(),
        Instant.ofEpochMilli(record.timestamp()),
        metadata.topic(),
        metadata.partition(),
        metadata.offset());
  }

  /** The record with a timestamp of at most {@code latest}. */
  public Inbound notAfter(Instant latest) {
    return timestamp.isAfter(latest)
        ? new Inbound(key, value, headers, latest, topic, partition, offset)
        : this;
  }

  /** Whether the value is written as JSON; a tombstone is not. */
  public boolean isJson() {
    return value.flatMap(WireFormat::detect).filter(WireFormat.JSON::equals).isPresent();
  }

  /** topic-partition@offset. */
  public String revision() {
    return topic + "-" + partition + "@" + offset;
  }

  /** The offset that a revision names; -1 for one of another partition. */
  public static long offsetAt(int partition, String revision) {
    int at = revision.lastIndexOf('@');
    return revision.substring(0, at).endsWith("-" + partition)
        ? Long.parseLong(revision.substring(at + 1))
        : -1;
  }

  /** The size of key, value and headers, in bytes. */
  public long size() {
    long size = key.map(bytes -> bytes.length).orElse(0);
    size += value.map(bytes -> bytes.length).orElse(0);
    for (Header header : headers) {
      size += header.key().length() * 3L + 10;
      size += header.value() == null ? 0 : header.value().length;
    }
    return size;
  }

  /** About how many bytes key, value and headers take in memory: an empty header takes 100. */
  public long sizeInMemory() {
    long size = size();
    for (Header unused : headers) {
      size += 90;
    }
    return size;
  }

  /** The key as text, for messages. */
  public String keyText() {
    return key.map(bytes -> new String(bytes, StandardCharsets.UTF_8)).orElse("");
  }
}
