package io.waterclock.client.schedules;

import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.InvalidIdException;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * Sends records that arrive in their topics later, with any producer: its serializers write key and
 * value, and inside a transaction of the producer the record waits only if the transaction commits.
 *
 * <pre>{@code
 * Later.send(producer, new ProducerRecord<>("orders.reminders", "42", cart), in15Minutes);
 * Later.in(Duration.ofHours(1)).id("reminder-42").send(producer, record);
 * Later.cancel(producer, "reminder-42");
 * }</pre>
 *
 * <p>The record arrives once, with its key, its value and its headers byte for byte, and one header
 * more, {@code waterclock-id}; the operator must allow its topic as a target. What cannot be
 * delivered is a dead letter with the reason. Serializers are given the name of the topic later
 * instead of the record's topic: a serializer that chooses schemas by topic needs another strategy,
 * or a producer of bytes.
 *
 * <p>Immutable. A call costs what the producer's {@code send} costs.
 */
public final class Later {
  private final String header;
  private final String when;
  private final Optional<ScheduleId> id;
  private final Topics topics;

  private Later(String header, String when, Optional<ScheduleId> id, Topics topics) {
    this.header = header;
    this.when = when;
    this.id = id;
    this.topics = topics;
  }

  /** At an instant, cut to milliseconds; at once if it has passed. */
  public static Later at(Instant instant) {
    String ms = Long.toString(instant.toEpochMilli());
    return new Later(HeaderNames.AT, ms, Optional.empty(), Topics.ofDefault());
  }

  /**
   * After a time, cut to milliseconds, from the timestamp of the record.
   *
   * @throws IllegalArgumentException if it is below zero
   */
  public static Later in(Duration delay) {
    if (delay.isNegative()) {
      throw new IllegalArgumentException("a delay is 0 or more, this one is " + delay);
    }
    return new Later(HeaderNames.IN, delay.toMillis() + "ms", Optional.empty(), Topics.ofDefault());
  }

  /**
   * With a name: a later record with the same name replaces this one while it waits, and {@link
   * #cancel} ends the wait. Without one, the record has the name that its header {@code
   * waterclock-id} says, or a new one.
   *
   * @throws InvalidIdException if it is no schedule id
   */
  public Later id(String name) {
    return new Later(header, when, Optional.of(ScheduleId.parse(name)), topics);
  }

  /** By the scheduler of another prefix. */
  public Later topics(Topics other) {
    return new Later(header, when, id, other);
  }

  /**
   * Sends a record to arrive at an instant in its topic, and in its partition if it names one, by
   * the scheduler of the default prefix.
   */
  public static <K, V> Future<RecordMetadata> send(
      Producer<K, V> producer, ProducerRecord<K, V> record, Instant at) {
    return at(at).send(producer, record);
  }

  /** Sends a record to arrive later in its topic, and in its partition if it names one. */
  public <K, V> Future<RecordMetadata> send(Producer<K, V> producer, ProducerRecord<K, V> record) {
    return producer.send(record(record));
  }

  /** The record that a producer has to send, for frameworks that send it themselves. */
  public <K, V> ProducerRecord<K, V> record(ProducerRecord<K, V> record) {
    Headers headers = new RecordHeaders(record.headers());
    put(headers, header.equals(HeaderNames.AT) ? HeaderNames.IN : HeaderNames.AT, Optional.empty());
    put(headers, header, Optional.of(when));
    put(headers, HeaderNames.CANCEL, Optional.empty());
    put(headers, HeaderNames.TARGET, Optional.of(record.topic()));
    put(
        headers,
        HeaderNames.PARTITION,
        Optional.ofNullable(record.partition()).map(String::valueOf));
    id.ifPresent(name -> put(headers, HeaderNames.ID, Optional.of(name.value())));
    return new ProducerRecord<>(
        topics.later(), null, record.timestamp(), record.key(), record.value(), headers);
  }

  /**
   * Cancels the record that waits under a name, for the scheduler of the default prefix. The
   * cancellation takes effect when the scheduler has read it, after some tenths of a second; {@link
   * Schedules#delete} waits for that, and is safe from the moment when the broker has it.
   *
   * @throws InvalidIdException if it is no schedule id
   */
  public static <K, V> Future<RecordMetadata> cancel(Producer<K, V> producer, String name) {
    return cancel(producer, name, Topics.ofDefault());
  }

  /** The same for the scheduler of another prefix. */
  public static <K, V> Future<RecordMetadata> cancel(
      Producer<K, V> producer, String name, Topics topics) {
    ProducerRecord<K, V> cancel = new ProducerRecord<>(topics.later(), null, null);
    put(cancel.headers(), HeaderNames.ID, Optional.of(ScheduleId.parse(name).value()));
    put(cancel.headers(), HeaderNames.CANCEL, Optional.of("true"));
    return producer.send(cancel);
  }

  private static void put(Headers headers, String name, Optional<String> text) {
    headers.remove(name);
    text.ifPresent(value -> headers.add(name, value.getBytes(StandardCharsets.UTF_8)));
  }
}
