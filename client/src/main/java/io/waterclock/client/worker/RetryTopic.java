package io.waterclock.client.worker;

import io.waterclock.client.retry.RetryHeaders;
import io.waterclock.client.rules.BufferedFire;
import io.waterclock.client.rules.PastAttempts;
import io.waterclock.client.schedules.Later;
import io.waterclock.client.worker.brokers.ConfirmedOutbox;
import io.waterclock.schemas.Topics;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.log.SafeLogger;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RetriableException;
import org.slf4j.Logger;

/**
 * Has failed fires wait in Kafka: it writes them to the topic later, and the scheduler delivers
 * them to the topic of retries, as received, with headers that name the group and count the
 * attempts. The worker commits the fire's offset after this write, so a process may die in between:
 * the fire then runs again, and waits once, as the second record has the same name. Thread-safe.
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
    return isReturn(record)
        && RetryHeaders.group(record.headers()).filter(groupId::equals).isEmpty();
  }

  /** What this group has done before about the fire in a record. */
  PastAttempts past(ConsumerRecord<byte[], byte[]> record) {
    return isReturn(record) ? RetryHeaders.past(record.headers()) : PastAttempts.NONE;
  }

  private boolean isReturn(ConsumerRecord<byte[], byte[]> record) {
    return record.topic().equals(topics.retries());
  }

  /**
   * Has a fire wait. The partition of its return is that of the fire, so the worker that has the
   * schedule's fires gets it.
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
    ConsumerRecord<byte[], byte[]> from = work.attachment().record();
    Fire fire = work.fire();
    PastAttempts past = new PastAttempts(work.past().waits() + 1, work.attempt());
    ProducerRecord<byte[], byte[]> back =
        new ProducerRecord<>(
            topics.retries(),
            from.partition() % partitions.orElse(Integer.MAX_VALUE),
            null,
            from.key(),
            from.value(),
            RetryHeaders.waiting(from.headers(), groupId, past, error));
    outbox.send(
        "a fire that waits for a retry",
        Later.at(at)
            .id(RetryHeaders.id(groupId, fire.getFireId() + "#" + past.waits()))
            .topics(topics)
            .record(back),
        then,
        (failed, why) -> {
          if (why instanceof RetriableException) {
            return Optional.of(failed);
          }
          LOG.error(
              "{} cannot wait for a retry in {}: it is a dead letter",
              work.attachment().fireKey(),
              topics.later(),
              why);
          refused.accept(why);
          return Optional.empty();
        });
  }
}
