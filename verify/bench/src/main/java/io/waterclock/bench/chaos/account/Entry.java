package io.waterclock.bench.chaos.account;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A record of a topic, as a read_committed consumer got it.
 *
 * @param timestampMs of the record
 * @param receivedMs when the consumer got it, by the clock of this machine
 * @param readableMs by when the scheduler had what it needs to read it; later than the former if
 *     its schema came later
 * @param value JSON; empty for a tombstone
 */
public record Entry(
    String topic,
    int partition,
    long offset,
    long timestampMs,
    long receivedMs,
    long readableMs,
    String key,
    Optional<String> value,
    Map<String, String> headers) {

  /** A header of a record that is not JSON: the same as JSON. */
  public static final String JSON = "chaos-json";

  /** A header of a record in Confluent's format: the id of its schema in the registry. */
  public static final String SCHEMA = "chaos-schema";

  /** The id of the schema that one needs from the registry to read it. */
  Optional<Integer> schemaId() {
    return Optional.ofNullable(headers.get(SCHEMA)).map(Integer::valueOf);
  }

  /** Readable as soon as it is received. */
  Entry(
      String topic,
      int partition,
      long offset,
      long timestampMs,
      long receivedMs,
      String key,
      Optional<String> value,
      Map<String, String> headers) {
    this(topic, partition, offset, timestampMs, receivedMs, receivedMs, key, value, headers);
  }

  Entry withValue(Optional<String> other) {
    return new Entry(
        topic, partition, offset, timestampMs, receivedMs, readableMs, key, other, headers);
  }

  Entry receivedAt(long ms) {
    return new Entry(topic, partition, offset, timestampMs, ms, key, value, headers);
  }

  Entry readableAt(long ms) {
    return new Entry(topic, partition, offset, timestampMs, receivedMs, ms, key, value, headers);
  }

  @Override
  public String toString() {
    return "seen %s, of %s: %s %s %s %s"
        .formatted(
            Instant.ofEpochMilli(receivedMs),
            Instant.ofEpochMilli(timestampMs),
            position(),
            key,
            value.orElse("(tombstone)"),
            headers);
  }

  /** As revisions are named. */
  String position() {
    return topic + "-" + partition + "@" + offset;
  }
}
