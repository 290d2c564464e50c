package io.waterclock.client.worker;

import io.waterclock.client.rules.AssignedPartition;
import io.waterclock.client.rules.FireBuffer;
import io.waterclock.client.rules.IncomingFire;
import io.waterclock.client.rules.RunPolicy;
import io.waterclock.client.rules.UnfinishedRecord;
import io.waterclock.schemas.Headers;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.SafeLogger;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.schemas.SchemaUnavailableException;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.WireFormat;
import io.waterclock.schemas.avro.Fire;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.slf4j.Logger;

/**
 * Reads records: fires that have a handler go to the queue, what is no fire to the dead letters.
 *
 * <p>What the scheduler has written is never taken for a dead letter because this worker lacks
 * something: all that follow would be, too. If a schema registry does not answer it waits; if the
 * worker knows of no registry, or is older than the schema, it ends.
 */
final class FireReader {
  private static final Logger LOG = SafeLogger.of(FireReader.class);

  private final Handlers handlers;
  private final Unhandled unhandled;
  private final BiFunction<Fire, RunPolicy, RunPolicy> policy;
  private final WorkQueue queue;
  private final CompletionHandler completionHandler;
  private final DeadLetterTopic deadLetters;
  private final SchemaSource schemas;

  /**
   * @param schemas must not wait
   */
  FireReader(
      WorkerContext worker,
      Unhandled unhandled,
      CompletionHandler completionHandler,
      DeadLetterTopic deadLetters,
      SchemaSource schemas) {
    this.handlers = worker.config().handlers();
    this.policy = worker.config().policy();
    this.queue = worker.queue();
    this.unhandled = unhandled;
    this.completionHandler = completionHandler;
    this.deadLetters = deadLetters;
    this.schemas = schemas;
  }

  /**
   * Records of one source, in order.
   *
   * @return how many were accepted: all, or those before one whose schema cannot be had now
   * @throws IllegalStateException if this worker cannot read what the scheduler writes
   */
  int accept(
      AssignedPartition<HandledRecord> source, List<ConsumerRecord<byte[], byte[]>> records) {
    List<IncomingFire<HandledRecord>> fires = new ArrayList<>(records.size());
    int accepted = 0;
    for (ConsumerRecord<byte[], byte[]> record : records) {
      try {
        read(source, record).ifPresent(fires::add);
      } catch (SchemaUnavailableException e) {
        LOG.debug("{} waits", place(record), e);
        break;
      } catch (UndecodableException e) {
        deliver(fires);
        if (isBeyondThisWorker(record, e)) {
          throw new IllegalStateException(
              place(record)
                  + " is a fire, but this worker cannot read it: configure the schema registry, or"
                  + " update the client to the scheduler's release. "
                  + e.getMessage(),
              e);
        }
        bury(source, record, String.valueOf(e.getMessage()));
      }
      accepted++;
    }
    deliver(fires);
    return accepted;
  }

  private static boolean isBeyondThisWorker(
      ConsumerRecord<byte[], byte[]> record, UndecodableException e) {
    Header type = record.headers().lastHeader(Headers.CE_TYPE);
    boolean isFire =
        type != null
            && type.value() != null
            && Headers.FIRE_TYPE.equals(new String(type.value(), StandardCharsets.UTF_8));
    return isFire
        && switch (e.reason()) {
          case NO_REGISTRY -> true;
          case UNKNOWN_SCHEMA ->
              WireFormat.detect(record.value()).filter(WireFormat.AVRO::equals).isPresent();
          case EMPTY, UNKNOWN_FORMAT, INCOMPATIBLE_SCHEMA, MALFORMED -> false;
        };
  }

  private static String place(ConsumerRecord<byte[], byte[]> record) {
    return record.topic() + "-" + record.partition() + "@" + record.offset();
  }

  private Optional<IncomingFire<HandledRecord>> read(
      AssignedPartition<HandledRecord> source, ConsumerRecord<byte[], byte[]> record) {
    byte[] value = record.value() == null ? new byte[] {} : record.value();
    Fire fire = RecordCodecs.fire().decode(value, schemas);
    return handlers
        .of(fire)
        .or(() -> unhandled.found(fire, place(record)))
        .map(
            handler ->
                new IncomingFire<>(
                    source,
                    record.offset(),
                    fire,
                    policy.apply(fire, RunPolicy.of(fire)),
                    new HandledRecord(record, handler)));
  }

  private void deliver(List<IncomingFire<HandledRecord>> fires) {
    if (!fires.isEmpty()) {
      for (FireBuffer.Left<HandledRecord> left : queue.add(fires)) {
        completionHandler.dropped(left.work(), left.reason(), left.text());
      }
      fires.clear();
    }
  }

  private void bury(
      AssignedPartition<HandledRecord> source,
      ConsumerRecord<byte[], byte[]> record,
      String error) {
    LOG.error("{}: {}", place(record), error);
    UnfinishedRecord mark = queue.mark(source, record.offset());
    deadLetters.send(record, error, () -> queue.settle(mark));
  }
}
