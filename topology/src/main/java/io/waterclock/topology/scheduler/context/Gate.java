package io.waterclock.topology.scheduler.context;

import java.time.Duration;
import org.apache.kafka.streams.processor.TaskId;

/**
 * Holds a task's decisions back until its input is processed up to where it ended a moment ago:
 * what was deleted or paused while no scheduler ran, or while one took over, must not fire. Closes
 * again when the thread was held up.
 *
 * <p>Asked from the stream thread of the task only.
 */
public interface Gate {

  /** True while the task may decide; to be asked before each time that it does. */
  boolean isOpen();

  /**
   * Tells the gate that a record was processed.
   *
   * @param topic one of the task's inputs
   * @param offset of the record in the task's partition of that topic
   */
  void processed(String topic, long offset);

  /** True while records of the task's input are fetched and not yet processed. */
  boolean isBehind();

  /**
   * Says for how long the task has nothing to do unless a record comes, so that the thread may wait
   * for one.
   *
   * @param time not above zero when it has something to do
   */
  void restsFor(Duration time);

  /** Marks the end that the task's partition of the schedules topic has now, or a moment later. */
  Mark mark();

  /** An end up to which an input is to be read. */
  @FunctionalInterface
  interface Mark {
    /** True once everything before it is processed. */
    boolean isPassed();
  }

  /** Makes the gate of a task at its assignment. */
  @FunctionalInterface
  interface Factory {
    Gate create(TaskId task);
  }
}
