package io.waterclock.sim.node;

import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.Topics;
import io.waterclock.sim.broker.Message;
import io.waterclock.sim.broker.PartitionLog;
import io.waterclock.sim.broker.Place;
import io.waterclock.topology.scheduler.emit.Addressed;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;

/** A task of the intake, which keeps no state. */
final class IntakeTask extends StreamTask {
  private final Supplier<Processor<byte[], byte[], byte[], Object>> processors;

  IntakeTask(
      StreamTask.Host thread,
      Supplier<Processor<byte[], byte[], byte[], Object>> processors,
      int partition) {
    super(
        thread,
        TaskEnvironment.INTAKES,
        List.of(thread.environment().settings().channels().topics().later()),
        partition);
    this.processors = processors;
  }

  @Override
  boolean restoreSome() {
    return true;
  }

  @Override
  ToLongFunction<PartitionLog> reset() {
    return log -> log.firstSince(0);
  }

  @Override
  Processor<byte[], byte[], byte[], Object> newProcessor() {
    return processors.get();
  }

  @Override
  void punctuate() {
    idleFor(Duration.ofMillis(Long.MAX_VALUE)); // it only reads
  }

  @Override
  public LoggedStore store(String name) {
    throw new IllegalArgumentException("the intake has no store " + name);
  }

  @Override
  public void send(Record<?, ?> record, String child) {
    byte[] key = record.key() instanceof byte[] given ? given : new byte[0];
    Topics topics = environment.settings().channels().topics();
    int partitions = environment.settings().channels().partitions();
    Place place =
        switch (child) {
          case "to-schedules" -> new Place(topics.schedules(), HomePartition.of(key, partitions));
          case "to-answers" ->
              new Place(topics.answers(), ((Addressed) record.value()).partition());
          default -> new Place(topics.dlq(), HomePartition.of(key, partitions));
        };
    byte[] value =
        record.value() instanceof Addressed addressed ? addressed.value() : (byte[]) record.value();
    thread.append(
        place, new Message(key, value, new RecordHeaders(record.headers()), record.timestamp()));
  }
}
