package io.waterclock.sim.node;

import java.util.List;

/** An application of Kafka Streams, in one life of a process. */
interface Application {
  /** The name of its group. */
  String group();

  /** Begins the name of its members in a process. */
  String prefix();

  /** The names of its producers, which take turns. */
  List<String> producers();

  long commitIntervalMs();

  /** A task that the process takes over. */
  StreamTask open(int partition, StreamTask.Host thread);

  /** When it has something to do, if its tasks have it at this time. */
  long wakeMs(long tasksWakeMs);
}
