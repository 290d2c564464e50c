package io.waterclock.judge;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A record of a topic.
 *
 * @param value empty for a tombstone
 * @param timestampMs as its producer set it
 * @param appendedMs when it was written: by the brokers' clock or, if that was not seen, no later
 * @param visibleMs by when a consumer that reads only what is committed had all that it needs to
 *     read it
 */
public record Entry<T>(
    String topic,
    int partition,
    long offset,
    String key,
    Optional<T> value,
    Map<String, String> headers,
    long timestampMs,
    long appendedMs,
    long visibleMs) {

  /** A header of a record that is not JSON: the same as JSON. */
  public static final String JSON = "judged-json";

  /** A header of a record in Confluent's format: the id of its schema in the registry. */
  public static final String SCHEMA = "judged-schema";

  /** A header of a record that waited for a schema, or behind one that did. */
  static final String WAITED = "judged-waited";

  static final String ORIGIN = "waterclock-origin";
  static final String STRAY = "waterclock-stray";
  static final String STAMPED = "waterclock-stamped";
  static final String MOVED = "waterclock-moved";

  /** As revisions are named. */
  public String place() {
    return topic + "-" + partition + "@" + offset;
  }

  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name));
  }

  /** The same record with another value. */
  public <U> Entry<U> with(Optional<U> other) {
    return new Entry<>(
        topic, partition, offset, key, other, headers, timestampMs, appendedMs, visibleMs);
  }

  /** The same record at other times. */
  public Entry<T> at(long otherAppendedMs, long otherVisibleMs) {
    return new Entry<>(
        topic,
        partition,
        offset,
        key,
        value,
        headers,
        timestampMs,
        otherAppendedMs,
        otherVisibleMs);
  }

  /** The same record with other headers. */
  Entry<T> with(Map<String, String> others) {
    return new Entry<>(
        topic, partition, offset, key, value, others, timestampMs, appendedMs, visibleMs);
  }

  /** The same record in the place of another one. */
  Entry<T> inPlaceOf(Entry<T> other) {
    return new Entry<>(
        other.topic,
        other.partition,
        other.offset,
        key,
        value,
        headers,
        timestampMs,
        appendedMs,
        visibleMs);
  }

  /** The timestamp with which it was written first, if it is a stray that was brought home. */
  long stampedMs() {
    return header(STAMPED).map(Long::parseLong).orElse(timestampMs);
  }

  /** Whether it was surely written later; of two with one timestamp only in one partition. */
  boolean isAfter(Entry<?> other) {
    return timestampMs == other.timestampMs
        ? partition == other.partition && offset > other.offset
        : timestampMs > other.timestampMs;
  }

  @Override
  public String toString() {
    return "seen %s, of %s: %s %s %s %s"
        .formatted(
            Instant.ofEpochMilli(visibleMs),
            Instant.ofEpochMilli(timestampMs),
            place(),
            key,
            value.map(Object::toString).orElse("(tombstone)"),
            headers);
  }
}
