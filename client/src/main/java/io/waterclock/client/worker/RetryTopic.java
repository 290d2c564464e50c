package io.waterclock.client.worker;

import io.waterclock.client.retry.RetryHeaders;
import io.waterclock.client.rules.BufferedFire;
import io.waterclock.client.rules.PastAttempts;
import io.waterclock.client.schedules.Later;
import io.waterclock.client.worker.brokers.ConfirmedOutbox;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.log.SafeLogger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.slf4j.Logger;

/**
 * Has failed fires wait in Kafka: it writes them to the topic later, and the scheduler delivers
 * them to the topic of retries, as received, with headers that name the group and count the
 * attempts. The worker commits the fire's offset after this write, so a process may die in between:
 * the fire then runs again. The second record has the same name: while the first one waits, the
 * fire waits once; after that it returns a second time. Thread-safe.
 */
final class RetryTopic {
  private static final Logger LOG = SafeLogger.of(RetryTopic.class);

  private final ConfirmedOutbox outbox;
  private final Topics topics;
  private final String groupId;
  private volatile OptionalInt partitions = OptionalInt.empty();

  RetryTopic(ConfirmedOutbox outbox, Topics topics, String groupId) {
    this.outbox = outbox;
    this.topics = topics;
    this.groupId = groupId;
  }

  /** The topic of retries exists, and this worker reads it. */
  void found(int count) {
    partitions = OptionalInt.of(count);
  }

  /** This worker cannot read the topic of retries: no fire waits from now on. */
  void lost() {
    partitions = OptionalInt.empty();
  }

  boolean isThere() {
    return partitions.isPresent();
  }

  /** True for a record of the topic of retries that another group retries. */
  boolean isForOthers(ConsumerRecord<byte[], byte[]> record) {
    return isReturn(record) && RetryHeaders.group(record).filter(groupId::equals).isEmpty();
  }

  /** What this group has done before about the fire in a record. */
  PastAttempts past(ConsumerRecord<byte[], byte[]> record) {
    return isReturn(record) ? RetryHeaders.past(record) : PastAttempts.NONE;
  }

  /** True for a record of the topic of retries. */
  boolean isReturn(ConsumerRecord<byte[], byte[]> record) {
    return record.topic().equals(topics.retries());
  }

  /** The record of a fire as it was before it waited in order, or as it is. */
  ConsumerRecord<byte[], byte[]> restored(ConsumerRecord<byte[], byte[]> record) {
    Header key = record.headers().lastHeader(HeaderNames.FIRE_KEY);
    if (!isReturn(record) || key == null) {
      return record;
    }
    RecordHeaders headers = new RecordHeaders(record.headers());
    headers.remove(HeaderNames.FIRE_KEY);
    return new ConsumerRecord<>(
        record.topic(),
        record.partition(),
        record.offset(),
        record.timestamp(),
        record.timestampType(),
        key.value() == null ? 0 : key.value().length,
        record.serializedValueSize(),
        key.value(),
        record.value(),
        headers,
        record.leaderEpoch());
  }

  /**
   * Has a fire wait for its next run. The partition of its return is that of the fire, so the
   * worker that has the schedule's fires gets it.
   *
   * @param then runs once the brokers have confirmed it
   * @param refused runs instead if they never will
   */
  void await(
      BufferedFire<HandledRecord> work,
      Instant at,
      String error,
      Runnable then,
      Consumer<Exception> refused) {
    PastAttempts past = PastAttempts.of(work.past().waits() + 1, work.attempt());
    send(work, at, past, error, then, refused);
  }

  /** Has a fire wait behind another one of its schedule; it was not tried. */
  void join(
      BufferedFire<HandledRecord> work,
      Instant at,
      String why,
      Runnable then,
      Consumer<Exception> refused) {
    PastAttempts past = PastAttempts.of(work.past().waits(), work.past().attempts());
    send(work, at, past, why, then, refused);
  }

  private void send(
      BufferedFire<HandledRecord> work,
      Instant at,
      PastAttempts past,
      String why,
      Runnable then,
      Consumer<Exception> refused) {
    ConsumerRecord<byte[], byte[]> from = work.attachment().record();
    Headers headers = RetryHeaders.waiting(from.headers(), topics.retries(), groupId, past, why);
    boolean isInOrder = work.policy().retry().isInOrder();
    ProducerRecord<byte[], byte[]> record =
        isInOrder
            ? inOrder(Later.at(at).topics(topics), work, back(from, headers))
            : Later.at(at)
                .id(RetryHeaders.id(groupId, work.fire().getFireId() + "#" + past.waits()))
                .topics(topics)
                .record(back(from, headers));
    outbox.send(
        "a fire that waits for a retry",
        record,
        then,
        (failed, error) -> {
          if (error instanceof RetriableException) {
            return Optional.of(failed);
          }
          LOG.error(
              "{} cannot wait for a retry in {}: it is a dead letter",
              work.attachment().fireKey(),
              topics.later(),
              error);
          refused.accept(error);
          return Optional.empty();
        });
  }

  private ProducerRecord<byte[], byte[]> back(
      ConsumerRecord<byte[], byte[]> from, Headers headers) {
    return new ProducerRecord<>(
        topics.retries(),
        from.partition() % partitions.orElse(Integer.MAX_VALUE),
        null,
        from.key(),
        from.value(),
        headers);
  }

  /**
   * Records of one key without a name of their own, for one instant, arrive in the order in which
   * they were written. So the key is that of the schedule, and a header has that of the fire.
   */
  private static ProducerRecord<byte[], byte[]> inOrder(
      Later later, BufferedFire<HandledRecord> work, ProducerRecord<byte[], byte[]> back) {
    RecordHeaders headers = new RecordHeaders(back.headers());
    headers.remove(HeaderNames.ID);
    headers.add(HeaderNames.FIRE_KEY, back.key());
    return later.record(
        new ProducerRecord<>(
            back.topic(),
            back.partition(),
            null,
            work.fire().getScheduleId().getBytes(StandardCharsets.UTF_8),
            back.value(),
            headers));
  }
}
