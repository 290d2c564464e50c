package io.waterclock.sim.node;

import io.waterclock.sim.broker.Message;
import io.waterclock.sim.broker.Place;
import io.waterclock.topology.scheduler.context.Gate;
import java.util.function.Supplier;
import org.apache.kafka.streams.processor.api.Processor;

/** What a task needs of the process in which it runs. */
interface TaskHost {
  TaskEnvironment environment();

  NodeClock clock();

  void note(String text);

  /** Appends to the open transaction. A producer reports a failure only at its next commit. */
  void append(Place place, Message message);

  /** A processor whose gate is made by the supplier. */
  Processor<byte[], byte[], byte[], Object> processor(Supplier<Gate> gate);
}
