package io.waterclock.sim.node;

import io.waterclock.schemas.HomePartition;
import io.waterclock.schemas.Topics;
import io.waterclock.sim.broker.Message;
import io.waterclock.sim.broker.Place;
import io.waterclock.topology.intake.IntakeTopology;
import io.waterclock.topology.scheduler.context.TargetTopic;
import io.waterclock.topology.scheduler.emit.Addressed;
import java.util.function.Supplier;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;

/** The intake in one life of a process. */
final class SimulatedIntake extends StatelessApplication {
  private final Supplier<Processor<byte[], byte[], byte[], Object>> processors;

  SimulatedIntake(TaskEnvironment environment, NodeClock clock, String prefix) {
    super(
        environment,
        TaskEnvironment.INTAKES,
        prefix,
        environment.settings().channels().topics().later());
    this.processors =
        IntakeTopology.processors(
            environment.settings(),
            (topic, asOf) -> new TargetTopic.Present(TaskEnvironment.MOST_BYTES, Integer.MAX_VALUE),
            unread(),
            clock);
  }

  @Override
  Processor<byte[], byte[], byte[], Object> processor() {
    return processors.get();
  }

  @Override
  long beginsMs() {
    return 0;
  }

  @Override
  void send(Record<?, ?> record, byte[] key, Object value, String child, StreamTask.Host thread) {
    Topics topics = environment.settings().channels().topics();
    int home = HomePartition.of(key, environment.settings().channels().partitions());
    Place place =
        switch (child) {
          case "to-schedules" -> new Place(topics.schedules(), home);
          case "to-answers" -> new Place(topics.answers(), ((Addressed) value).partition());
          default -> new Place(topics.dlq(), home);
        };
    byte[] bytes = value instanceof Addressed addressed ? addressed.value() : (byte[]) value;
    thread.append(
        place, new Message(key, bytes, new RecordHeaders(record.headers()), record.timestamp()));
  }
}
