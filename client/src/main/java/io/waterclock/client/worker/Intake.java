package io.waterclock.client.worker;

import io.waterclock.client.rules.FireBuffer;
import io.waterclock.client.rules.Mark;
import io.waterclock.client.rules.RunPolicy;
import io.waterclock.client.rules.Source;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.UndecodableException;
import io.waterclock.schemas.avro.Fire;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads records: fires that have a handler go to the desk, what is no fire to the dead letters. */
final class Intake {
  private static final Logger LOG = LoggerFactory.getLogger(Intake.class);

  private final Handlers handlers;
  private final BiFunction<Fire, RunPolicy, RunPolicy> policy;
  private final Desk desk;
  private final Endings endings;
  private final DeadLetters deadLetters;

  Intake(
      Handlers handlers,
      BiFunction<Fire, RunPolicy, RunPolicy> policy,
      Desk desk,
      Endings endings,
      DeadLetters deadLetters) {
    this.handlers = handlers;
    this.policy = policy;
    this.desk = desk;
    this.endings = endings;
    this.deadLetters = deadLetters;
  }

  /** Records of one source, in order. */
  void accept(Source<Delivery> source, List<ConsumerRecord<byte[], byte[]>> records) {
    List<Desk.Incoming> fires = new ArrayList<>(records.size());
    for (ConsumerRecord<byte[], byte[]> record : records) {
      try {
        read(source, record).ifPresent(fires::add);
      } catch (UndecodableException e) {
        deliver(fires);
        bury(source, record, String.valueOf(e.getMessage()));
      }
    }
    deliver(fires);
  }

  private Optional<Desk.Incoming> read(
      Source<Delivery> source, ConsumerRecord<byte[], byte[]> record) {
    Fire fire = RecordCodecs.fire().decode(record.value() == null ? new byte[] {} : record.value());
    return handlers
        .of(fire)
        .map(
            handler ->
                new Desk.Incoming(
                    source,
                    record.offset(),
                    fire,
                    policy.apply(fire, RunPolicy.of(fire)),
                    new Delivery(record, handler)));
  }

  private void deliver(List<Desk.Incoming> fires) {
    if (!fires.isEmpty()) {
      for (FireBuffer.Left<Delivery> left : desk.add(fires)) {
        endings.tellDropped(left.work(), left.reason(), left.text());
      }
      fires.clear();
    }
  }

  private void bury(Source<Delivery> source, ConsumerRecord<byte[], byte[]> record, String error) {
    LOG.error("{}-{}@{}: {}", record.topic(), record.partition(), record.offset(), error);
    Mark mark = desk.mark(source, record.offset());
    deadLetters.send(record, error, () -> desk.settle(mark));
  }
}
