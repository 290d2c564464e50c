package io.waterclock.client.deadletters;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.client.topics.Partitions;
import io.waterclock.schemas.HeaderNames;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * What became of a dead letter: a record of the dead-letter topic, in the partition of the letter
 * and behind it. So retention removes the letter before it, and never the other way round. It has
 * the letter's key, no value, and headers.
 *
 * @param offset of the dead letter, at least zero
 * @param redriven how often the record was sent again, with this time
 * @param author empty if not given
 * @param note why; empty if not given
 */
public record Resolution(
    TopicPartition partition,
    long offset,
    Action action,
    int redriven,
    Instant at,
    String author,
    String note) {

  /** What a person decides. */
  public enum Action {
    /** It was sent again. */
    REDRIVEN,
    /** It is not to be sent again. */
    DISCARDED;

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    static Optional<Action> parse(String text) {
      for (Action action : values()) {
        if (action.text().equals(text)) {
          return Optional.of(action);
        }
      }
      return Optional.empty();
    }
  }

  /**
   * The record to write.
   *
   * @param said headers that say who and why
   */
  static ProducerRecord<byte[], byte[]> record(
      FailedRecord letter, Action action, Map<String, String> said) {
    RecordHeaders headers = new RecordHeaders();
    add(headers, HeaderNames.RESOLVED, action.text());
    add(headers, HeaderNames.RESOLVES, Long.toString(letter.place().offset()));
    if (action == Action.REDRIVEN) {
      add(headers, HeaderNames.REDRIVEN, Integer.toString(letter.from().redriven() + 1));
    }
    said.forEach((name, text) -> add(headers, name, text));
    TopicPartition partition = letter.place().partition();
    return new ProducerRecord<>(
        partition.topic(),
        partition.partition(),
        letter.content().key().orElse(null),
        null,
        headers);
  }

  /**
   * Whether the record is no dead letter; it need not be one that {@link #of} can read. A dead
   * letter keeps the headers of its record, whatever they are, and has a reason.
   */
  public static boolean is(ConsumerRecord<byte[], byte[]> record) {
    return record.headers().lastHeader(HeaderNames.RESOLVED) != null
        && record.headers().lastHeader(HeaderNames.ERROR) == null;
  }

  /** Empty for a dead letter, and for a record that names no letter before it. */
  public static Optional<Resolution> of(ConsumerRecord<byte[], byte[]> record) {
    if (!is(record)) {
      return Optional.empty();
    }
    Optional<Action> action =
        HeaderNames.text(record.headers(), HeaderNames.RESOLVED).flatMap(Action::parse);
    Optional<Long> offset =
        FailedRecord.number(record.headers(), HeaderNames.RESOLVES)
            .filter(number -> number < record.offset());
    return action.isEmpty() || offset.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Resolution(
                new TopicPartition(record.topic(), record.partition()),
                offset.get(),
                action.get(),
                FailedRecord.number(record.headers(), HeaderNames.REDRIVEN)
                    .filter(times -> times <= Integer.MAX_VALUE)
                    .map(Long::intValue)
                    .orElse(0),
                Instant.ofEpochMilli(record.timestamp()),
                HeaderNames.text(record.headers(), HeaderNames.AUTHOR).orElse(""),
                HeaderNames.text(record.headers(), HeaderNames.NOTE).orElse("")));
  }

  /** The place of the dead letter. */
  public Partitions.Place letter() {
    return new Partitions.Place(partition, offset);
  }

  private static void add(RecordHeaders headers, String name, String text) {
    headers.add(name, text.getBytes(UTF_8));
  }
}
