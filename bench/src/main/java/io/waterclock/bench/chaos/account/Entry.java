package io.waterclock.bench.chaos.account;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A record of a topic, as a read_committed consumer got it.
 *
 * @param timestampMs of the record
 * @param receivedMs when the consumer got it, by the clock of this machine
 * @param value empty for a tombstone
 */
public record Entry(
    String topic,
    int partition,
    long offset,
    long timestampMs,
    long receivedMs,
    String key,
    Optional<String> value,
    Map<String, String> headers) {

  Entry withValue(Optional<String> other) {
    return new Entry(topic, partition, offset, timestampMs, receivedMs, key, other, headers);
  }

  Entry receivedAt(long ms) {
    return new Entry(topic, partition, offset, timestampMs, ms, key, value, headers);
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
