package io.waterclock.sim.node;

import io.waterclock.sim.broker.Place;
import java.time.Duration;
import org.apache.kafka.streams.processor.api.Record;

/** What the gate and the processor of a task need of it. */
interface TaskInside {
  int partition();

  NodeClock clock();

  LoggedStore store(String name);

  long wallMs();

  void requestCommit();

  void send(Record<?, ?> record, String child);

  /** True while fetched records wait. */
  boolean isBehind();

  /** The consumer's position is past an end, and every record that it returned is processed. */
  boolean isPast(Place place, long end);

  void idleFor(Duration time);
}
