package io.waterclock.sim.node;

import io.waterclock.sim.broker.Message;
import io.waterclock.sim.broker.Place;

/** What a task needs of the thread that runs it. */
interface TaskHost {
  TaskEnvironment environment();

  NodeClock clock();

  void note(String text);

  /** Appends to the open transaction. A producer reports a failure only at its next commit. */
  void append(Place place, Message message);
}
