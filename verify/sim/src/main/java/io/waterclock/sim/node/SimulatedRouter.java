package io.waterclock.sim.node;

import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.SchemaSource;
import io.waterclock.sim.broker.Message;
import io.waterclock.sim.broker.Place;
import io.waterclock.topology.router.Refusals;
import io.waterclock.topology.router.Routed;
import io.waterclock.topology.router.RouterTopology;
import io.waterclock.topology.router.Routing;
import io.waterclock.topology.scheduler.context.TargetTopic;
import java.util.function.Supplier;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;

/** The router in one life of a process. */
final class SimulatedRouter extends StatelessApplication {
  private final Supplier<Processor<byte[], byte[], byte[], Object>> processors;

  SimulatedRouter(TaskEnvironment environment, NodeClock clock, String prefix) {
    super(
        environment,
        TaskEnvironment.ROUTERS,
        prefix,
        environment.settings().channels().topics().fires());
    this.processors =
        RouterTopology.processors(
            new Routing(
                environment.settings().channels().targets(),
                (topic, asOf) ->
                    environment.hasTarget().getAsBoolean()
                        ? new TargetTopic.Present(TaskEnvironment.MOST_BYTES, Integer.MAX_VALUE)
                        : new TargetTopic.Missing(),
                new Refusals(clock, () -> false, topic -> {}),
                SchemaSource.none(),
                clock),
            unread(),
            TaskEnvironment.MOST_BYTES);
  }

  @Override
  Processor<byte[], byte[], byte[], Object> processor() {
    return processors.get();
  }

  @Override
  long beginsMs() {
    return environment.now().getAsLong() - RouterTopology.MOST_AGAIN.toMillis();
  }

  @Override
  void send(Record<?, ?> record, byte[] key, Object value, String child, StreamTask.Host thread) {
    int home = HomePartition.of(key, environment.settings().channels().partitions());
    Place place = new Place(environment.settings().channels().topics().dlq(), home);
    Object bytes = value;
    if (value instanceof Routed routed) {
      place = new Place(routed.topic(), routed.partition().orElse(home));
      bytes = routed.value();
    }
    Message message =
        new Message(key, (byte[]) bytes, new RecordHeaders(record.headers()), record.timestamp());
    for (Message sent : environment.fault().route(place, message)) {
      thread.append(place, sent);
    }
  }
}
