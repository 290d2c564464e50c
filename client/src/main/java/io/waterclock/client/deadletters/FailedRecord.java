package io.waterclock.client.deadletters;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.client.topics.Partitions;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.TargetRecord;
import io.waterclock.schemas.Topics;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/**
 * A dead letter: a record that failed, with what its headers say about that. The headers are text
 * from outside, so any of them may be missing or wrong.
 *
 * @param place where it is in the dead-letter topic
 * @param at when it was written there
 * @param content the record as it was before it failed
 * @param reason as its writer says it; empty if it says none
 */
public record FailedRecord(
    Partitions.Place place, Instant at, Content content, String reason, Provenance from) {
  /** Kafka Connect's, where its context headers are enabled. */
  private static final String CONNECT_ERROR = "__connect.errors.exception.message";

  /** What the writers of dead letters add, the reason first. */
  private static final List<String> ADDED =
      List.of(
          HeaderNames.ERROR,
          HeaderNames.ORIGIN_TOPIC,
          HeaderNames.ORIGIN_PARTITION,
          HeaderNames.ORIGIN_OFFSET,
          HeaderNames.ORIGIN_TIMESTAMP,
          HeaderNames.CUT,
          HeaderNames.GROUP);

  /** A record without its place. */
  public record Content(Optional<byte[]> key, Optional<byte[]> value, Headers headers) {
    /** The key as text; empty if there is none. */
    public String keyText() {
      return key.map(bytes -> new String(bytes, UTF_8)).orElse("");
    }
  }

  /**
   * Where the record was.
   *
   * @param timestamp of the record; empty in dead letters of versions that did not write it
   */
  public record Origin(String topic, int partition, long offset, Optional<Instant> timestamp) {
    /** topic-partition@offset. */
    public String position() {
      return topic + "-" + partition + "@" + offset;
    }
  }

  /**
   * What its headers say about its past.
   *
   * @param origin empty if they do not say it
   * @param group of the worker that gave up; empty if no worker wrote the dead letter
   * @param redriven how often the record was sent again before, at least zero
   * @param isWhole false if the dead letter leaves out a part of the record
   */
  public record Provenance(
      Optional<Origin> origin, Optional<String> group, int redriven, boolean isWhole) {}

  /** Reads a record of the dead-letter topic that is no {@link Resolution}. */
  public static FailedRecord of(ConsumerRecord<byte[], byte[]> record) {
    Header[] all = record.headers().toArray();
    int reason = reason(all);
    RecordHeaders own = new RecordHeaders();
    RecordHeaders added = new RecordHeaders();
    for (int i = 0; i < all.length; i++) {
      (i >= reason && ADDED.contains(all[i].key()) ? added : own).add(all[i]);
    }
    return new FailedRecord(
        new Partitions.Place(
            new TopicPartition(record.topic(), record.partition()), record.offset()),
        Instant.ofEpochMilli(record.timestamp()),
        new Content(Optional.ofNullable(record.key()), Optional.ofNullable(record.value()), own),
        HeaderNames.text(added, HeaderNames.ERROR)
            .or(() -> HeaderNames.text(own, CONNECT_ERROR))
            .orElse(""),
        new Provenance(
            origin(added),
            HeaderNames.text(added, HeaderNames.GROUP),
            number(own, HeaderNames.REDRIVEN)
                .filter(times -> times < Integer.MAX_VALUE)
                .map(Long::intValue)
                .orElse(0),
            added.lastHeader(HeaderNames.CUT) == null));
  }

  /**
   * Where its last reason is. A record that has waited for a retry, for example, has one before.
   */
  private static int reason(Header[] all) {
    int last = all.length - 1;
    while (last >= 0 && !all[last].key().equals(HeaderNames.ERROR)) {
      last--;
    }
    return last < 0 ? all.length : last;
  }

  /** topic-partition@offset in the dead-letter topic. */
  public String position() {
    return place.partition() + "@" + place.offset();
  }

  /** The topic that a fire with a target names; empty for other records. */
  public Optional<String> target() {
    Headers headers = content.headers();
    boolean isDelayed =
        headers.lastHeader(HeaderNames.AT) != null || headers.lastHeader(HeaderNames.IN) != null;
    return isDelayed ? Optional.empty() : HeaderNames.text(headers, HeaderNames.TARGET);
  }

  /** Whether it was a fire, one that had returned for a retry, too. */
  boolean isFire(Topics topics) {
    return from.origin()
        .map(Origin::topic)
        .filter(topic -> topic.equals(topics.fires()) || topic.equals(topics.retries()))
        .isPresent();
  }

  /**
   * The schedule that the record is about; empty if it is about none, or about one that its place
   * does not tell.
   */
  public Optional<String> schedule(Topics topics) {
    String topic = from.origin().map(Origin::topic).orElse("");
    if (isFire(topics)) {
      return content.key().map(key -> new String(TargetRecord.scheduleId(key), UTF_8));
    }
    if (topic.equals(topics.later())) {
      return HeaderNames.text(content.headers(), HeaderNames.ID);
    }
    return List.of(topics.schedules(), topics.commands(), topics.outcomes()).contains(topic)
        ? Optional.of(content.keyText())
        : Optional.empty();
  }

  /** The record as it was before it failed; empty if the headers do not say where. */
  Optional<ConsumerRecord<byte[], byte[]>> original() {
    return from.origin()
        .map(
            origin ->
                new ConsumerRecord<>(
                    origin.topic(),
                    origin.partition(),
                    origin.offset(),
                    origin.timestamp().orElse(at).toEpochMilli(),
                    TimestampType.CREATE_TIME,
                    ConsumerRecord.NULL_SIZE,
                    ConsumerRecord.NULL_SIZE,
                    content.key().orElse(null),
                    content.value().orElse(null),
                    content.headers(),
                    Optional.empty()));
  }

  private static Optional<Origin> origin(Headers headers) {
    Optional<String> topic =
        HeaderNames.text(headers, HeaderNames.ORIGIN_TOPIC).filter(name -> !name.isEmpty());
    Optional<Long> partition =
        number(headers, HeaderNames.ORIGIN_PARTITION).filter(n -> n <= Integer.MAX_VALUE);
    Optional<Long> offset = number(headers, HeaderNames.ORIGIN_OFFSET);
    return topic.isEmpty() || partition.isEmpty() || offset.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Origin(
                topic.get(),
                partition.get().intValue(),
                offset.get(),
                number(headers, HeaderNames.ORIGIN_TIMESTAMP).flatMap(FailedRecord::instant)));
  }

  private static Optional<Instant> instant(long epochMilli) {
    try {
      return Optional.of(Instant.ofEpochMilli(epochMilli));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** At least zero; empty for other text. */
  static Optional<Long> number(Headers headers, String name) {
    try {
      return HeaderNames.text(headers, name).map(Long::valueOf).filter(number -> number >= 0);
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
