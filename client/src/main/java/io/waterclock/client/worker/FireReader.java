package io.waterclock.client.worker;

import io.waterclock.client.rules.AssignedPartition;
import io.waterclock.client.rules.BufferedFire;
import io.waterclock.client.rules.RetryPlan;
import io.waterclock.client.rules.RunPolicy;
import io.waterclock.client.rules.Turn;
import io.waterclock.client.rules.UnfinishedRecord;
import io.waterclock.client.topics.Partitions;
import io.waterclock.schemas.HeaderNames;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.SchemaUnavailableException;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.avro.Fire;
import io.waterclock.schemas.avro.Target;
import io.waterclock.schemas.log.SafeLogger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.slf4j.Logger;

/**
 * Reads records: it adds fires with a handler to the work queue, skips the fires of delayed records
 * and those that return to other groups, and sends records that are not fires to the dead-letter
 * topic.
 *
 * <p>A fire never becomes a dead letter because this worker lacks a setting or a schema: all later
 * fires would become dead letters too. If the schema registry does not answer, the reader waits; if
 * the worker has no registry, or is older than the schema, the worker ends. A fire that returns is
 * a dead letter then: it is one of few, can be sent again, and writers of the topic later may have
 * made it up.
 *
 * @param schemas must not block
 */
record FireReader(
    WorkerContext worker,
    Unhandled unhandled,
    CompletionHandler completionHandler,
    SchemaSource schemas) {
  private static final Logger LOG = SafeLogger.of(FireReader.class);

  /** Reads fires in the worker's polling thread, and gives finished ones back to the brokers. */
  interface Loop {
    /** Reads until the worker is to stop. */
    void run() throws Exception;

    /**
     * Hands back everything that is not finished.
     *
     * @param patience how long running handlers may take to end before the worker cancels them
     */
    void handBack(Duration patience);

    /** The number of unfinished records, about a second ago. Thread-safe. */
    long lag();

    void close(Duration bound);
  }

  /**
   * Reads records of one partition, in order.
   *
   * @return the number of accepted records: all, or those before the first one whose schema is not
   *     available now
   * @throws IllegalStateException if this worker cannot read the scheduler's fires
   */
  int accept(AssignedPartition source, List<ConsumerRecord<byte[], byte[]>> records) {
    List<BufferedFire<HandledRecord>> fires = new ArrayList<>(records.size());
    int accepted = 0;
    for (ConsumerRecord<byte[], byte[]> record : records) {
      try {
        read(source, record).ifPresent(fires::add);
      } catch (SchemaUnavailableException e) {
        LOG.debug("{} waits", Partitions.position(record), e);
        break;
      } catch (UndecodableException e) {
        deliver(fires);
        if (isBeyondThisWorker(record, e) && !worker.retries().isReturn(record)) {
          throw new IllegalStateException(
              Partitions.position(record)
                  + " is a fire that this worker cannot read: configure the schema registry, or"
                  + " update the client to the scheduler's release. "
                  + e.getMessage(),
              e);
        }
        sendToDeadLetterTopic(source, record, String.valueOf(e.getMessage()));
      }
      accepted++;
    }
    deliver(fires);
    return accepted;
  }

  static boolean isBeyondThisWorker(ConsumerRecord<byte[], byte[]> record, UndecodableException e) {
    Header type = record.headers().lastHeader(HeaderNames.CE_TYPE);
    return e.isBeyondReader()
        && type != null
        && type.value() != null
        && HeaderNames.FIRE_TYPE.equals(new String(type.value(), StandardCharsets.UTF_8));
  }

  private Optional<BufferedFire<HandledRecord>> read(
      AssignedPartition source, ConsumerRecord<byte[], byte[]> record) {
    if (worker.retries().isForOthers(record)) {
      return Optional.empty();
    }
    byte[] value = record.value() == null ? new byte[] {} : record.value();
    Fire fire = RecordCodecs.fire().decode(value, schemas);
    if (isForItsTargetAlone(fire)) {
      return Optional.empty();
    }
    WorkerConfig config = worker.config();
    RunPolicy policy = policy(fire);
    return config
        .handlers()
        .of(fire)
        .or(() -> unhandled.found(fire, Partitions.position(record)))
        .map(
            handler ->
                new BufferedFire<>(
                    source,
                    record.offset(),
                    fire,
                    policy,
                    worker.retries().past(record),
                    new HandledRecord(worker.retries().restored(record), handler)));
  }

  private RunPolicy policy(Fire fire) {
    WorkerConfig config = worker.config();
    RunPolicy policy = config.policy().apply(fire, RunPolicy.of(fire).withRetry(config.retry()));
    if (!worker.retries().isThere()) {
      return policy.withRetry(RetryPlan.none());
    }
    return config.isOrdered() ? policy : policy.withRetry(RetryPlan.of(policy.retry().after()));
  }

  /** True for the fire of a record that is only on its way to another topic. */
  static boolean isForItsTargetAlone(Fire fire) {
    Target target = fire.getSchedule().getTarget();
    return target != null && target.getRecord() != null;
  }

  private void deliver(List<BufferedFire<HandledRecord>> fires) {
    if (!fires.isEmpty()) {
      for (Turn.Drop<HandledRecord> left : worker.queue().add(fires)) {
        completionHandler.dropped(left.work(), left.reason(), left.text());
      }
      fires.clear();
    }
  }

  private void sendToDeadLetterTopic(
      AssignedPartition source, ConsumerRecord<byte[], byte[]> record, String error) {
    LOG.error("{}: {}", Partitions.position(record), error);
    UnfinishedRecord mark = worker.queue().mark(source, record.offset());
    completionHandler.deadLetters().send(record, error, () -> worker.queue().settle(mark));
  }
}
