package io.waterclock.client.retry;

import io.waterclock.client.rules.PastAttempts;
import io.waterclock.client.rules.RetryPlan;
import io.waterclock.client.schedules.Later;
import io.waterclock.client.topics.Partitions;
import io.waterclock.schemas.Topics;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.Headers;

/**
 * Retries for any consumer, without schedules: a record that could not be processed waits in Kafka,
 * and comes back after a minute or a day, while its partition goes on. One topic is enough for all
 * delays.
 *
 * <pre>{@code
 * RetryLater<byte[], byte[]> retryLater =
 *     RetryLater.builder(producer, "billing").returnTo("orders.retries").build();
 * ...
 * for (ConsumerRecord<byte[], byte[]> record : consumer.poll(...)) {
 *   if (!retryLater.isForOthers(record)) {
 *     try {
 *       bill(record);
 *     } catch (RuntimeException e) {
 *       retryLater.retry(record, e);
 *     }
 *   }
 * }
 * producer.sendOffsetsToTransaction(...);
 * producer.commitTransaction();
 * }</pre>
 *
 * <p>The producer may be in a transaction: the record waits only if the transaction commits. If it
 * is in the transaction of the consumer's offsets, each record is processed, waits or is a dead
 * letter exactly once. Without a transaction, commit the offset after the write; a record that is
 * read again has the same name, so it waits once while its first copy waits; after that it returns
 * a second time.
 *
 * <p>The record returns with its key, its value and its headers byte for byte, as far as the
 * producer's serializers are the inverse of the consumer's deserializers, as those of bytes are.
 * The last headers are those of the retry: {@code waterclock-group}, {@code waterclock-returns-to},
 * {@code waterclock-retries}, {@code waterclock-attempts}, {@code waterclock-error} and {@code
 * waterclock-id}. Headers that the topic later reads, such as {@code waterclock-target}, and an
 * earlier {@code waterclock-id} are replaced. After the last wait of the plan, the record goes to
 * the dead-letter topic.
 *
 * <p>Immutable; as thread-safe as the producer. A call costs what the producer's {@code send}
 * costs.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public final class RetryLater<K, V> {
  /**
   * What was written.
   *
   * @param written completes when the brokers have the record; within a transaction, its commit
   *     waits for that
   * @param delay how long the record waits; empty: it is a dead letter
   */
  public record Sent(Future<RecordMetadata> written, Optional<Duration> delay) {}

  private record Settings<K, V>(
      Producer<K, V> producer,
      String group,
      RetryPlan plan,
      Optional<String> returnTo,
      Optional<String> deadLetters,
      Topics topics) {}

  private final Settings<K, V> settings;

  private RetryLater(Settings<K, V> settings) {
    this.settings = settings;
  }

  /**
   * Retries for a consumer group.
   *
   * @param producer writes what waits, and dead letters; its owner closes it
   * @param group the group to which records return
   */
  public static <K, V> Builder<K, V> builder(Producer<K, V> producer, String group) {
    return new Builder<>(producer, group);
  }

  /**
   * True for a record that another group retries, and this one passes over: it has had the record
   * before. False for all records that nobody retries.
   */
  public boolean isForOthers(ConsumerRecord<?, ?> record) {
    return RetryHeaders.group(record).filter(of -> !of.equals(settings.group())).isPresent();
  }

  /** The number of the attempt to process a record, from 1. */
  public int attempt(ConsumerRecord<?, ?> record) {
    return past(record).attempts() + 1;
  }

  private PastAttempts past(ConsumerRecord<?, ?> record) {
    return isForOthers(record) ? PastAttempts.NONE : RetryHeaders.past(record);
  }

  /** Has a record come back after the next wait of the plan; after the last, as a dead letter. */
  public Sent retry(ConsumerRecord<K, V> record, Throwable failure) {
    return waitForRetry(record, failure).orElseGet(() -> deadLetter(record, failure));
  }

  /**
   * Has a record come back after the next wait of the plan. For a caller that has dead letters of
   * its own.
   *
   * @return empty, and writes nothing, if it has had all waits
   */
  public Optional<Sent> waitForRetry(ConsumerRecord<K, V> record, Throwable failure) {
    PastAttempts past = past(record);
    PastAttempts now = PastAttempts.of(past.waits() + 1, past.attempts() + 1);
    return settings
        .plan()
        .next(past.waits(), ThreadLocalRandom.current())
        .map(wait -> await(record, now, wait, failure));
  }

  private Sent await(
      ConsumerRecord<K, V> record, PastAttempts past, Duration wait, Throwable failure) {
    String topic = settings.returnTo().orElse(record.topic());
    Headers headers =
        RetryHeaders.waiting(
            record.headers(), topic, settings.group(), past, FailureText.of(failure));
    ProducerRecord<K, V> back =
        new ProducerRecord<>(
            topic,
            topic.equals(record.topic()) ? record.partition() : null,
            null,
            record.key(),
            record.value(),
            headers);
    String id =
        RetryHeaders.id(settings.group(), Partitions.position(record) + "/" + record.timestamp());
    return new Sent(
        Later.in(wait).id(id).topics(settings.topics()).send(settings.producer(), back),
        Optional.of(wait));
  }

  /** Writes a record to the dead-letter topic, where no retry can help. */
  public Sent deadLetter(ConsumerRecord<K, V> record, Throwable failure) {
    return new Sent(
        settings
            .producer()
            .send(
                new ProducerRecord<>(
                    settings.deadLetters().orElse(settings.topics().dlq()),
                    null,
                    record.key(),
                    record.value(),
                    RetryHeaders.dead(record, settings.group(), FailureText.of(failure)))),
        Optional.empty());
  }

  /** Builds a {@link RetryLater}. Not thread-safe; used once. */
  public static final class Builder<K, V> {
    private final Producer<K, V> producer;
    private final String group;
    private RetryPlan plan = RetryPlan.standard();
    private Optional<String> returnTo = Optional.empty();
    private Optional<String> deadLetters = Optional.empty();
    private Topics topics = Topics.ofDefault();

    private Builder(Producer<K, V> producer, String group) {
      if (group.isBlank()) {
        throw new IllegalArgumentException("a group has a name, for example \"billing\"");
      }
      this.producer = producer;
      this.group = group;
    }

    /** The waits before the retries; 1m, 10m, 1h, 6h unless set. */
    public Builder<K, V> after(RetryPlan waits) {
      plan = waits;
      return this;
    }

    /**
     * The topic to which records return, which the consumer reads, too; the topic that they come
     * from unless set. A topic that only this group reads keeps them from other groups. The
     * scheduler's operator must allow it as a target.
     */
    public Builder<K, V> returnTo(String topic) {
      returnTo = Optional.of(topic);
      return this;
    }

    /** The topic for records after their last attempt; {@code <prefix>.dlq} unless set. */
    public Builder<K, V> deadLetters(String topic) {
      deadLetters = Optional.of(topic);
      return this;
    }

    /**
     * The topics of the scheduler in which records wait; those of the default prefix unless set.
     */
    public Builder<K, V> topics(Topics of) {
      topics = of;
      return this;
    }

    public RetryLater<K, V> build() {
      return new RetryLater<>(new Settings<>(producer, group, plan, returnTo, deadLetters, topics));
    }
  }
}
