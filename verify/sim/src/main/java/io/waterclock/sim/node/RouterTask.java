package io.waterclock.sim.node;

import io.waterclock.runtime.router.Routed;
import io.waterclock.runtime.router.RouterTopology;
import io.waterclock.schemas.HomePartition;
import io.waterclock.sim.broker.Message;
import io.waterclock.sim.broker.PartitionLog;
import io.waterclock.sim.broker.Place;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;

/** A task of the router, which keeps no state. */
final class RouterTask extends StreamTask {
  private final Supplier<Processor<byte[], byte[], byte[], Object>> processors;

  RouterTask(
      StreamTask.Host thread,
      Supplier<Processor<byte[], byte[], byte[], Object>> processors,
      int partition) {
    super(
        thread,
        TaskEnvironment.ROUTERS,
        List.of(thread.environment().settings().channels().topics().fires()),
        partition);
    this.processors = processors;
  }

  @Override
  boolean restoreSome() {
    return true;
  }

  @Override
  ToLongFunction<PartitionLog> reset() {
    return log -> log.firstSince(now() - RouterTopology.MOST_AGAIN.toMillis());
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
    throw new IllegalArgumentException("the router has no store " + name);
  }

  @Override
  public void send(Record<?, ?> record, String child) {
    byte[] key = record.key() instanceof byte[] given ? given : new byte[0];
    String topic = environment.settings().channels().topics().dlq();
    int partition = HomePartition.of(key, environment.settings().channels().partitions());
    Object value = record.value();
    if (value instanceof Routed routed) {
      topic = routed.topic();
      partition = routed.partition().orElse(partition);
      value = routed.value();
    }
    Message message =
        new Message(key, (byte[]) value, new RecordHeaders(record.headers()), record.timestamp());
    Place place = new Place(topic, partition);
    environment.fault().route(place, message).forEach(sent -> thread.append(place, sent));
  }
}
