package io.waterclock.topology.scheduler.context;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.streams.processor.TaskId;

/**
 * Delays a task's decisions until the task has processed its input up to a recent end: a schedule
 * that was deleted or paused while no scheduler ran, or during a takeover, must not fire. Closes
 * again after a stall of the thread.
 *
 * <p>For the stream thread of the task only.
 */
public interface Gate {
  /**
   * A longer gap between two steps of a thread is a stall. Commits and garbage collections are no
   * stalls, although they often take more than a second on an overloaded machine.
   */
  Duration STALL = Duration.ofSeconds(3);

  /** True while the task may decide; the task asks before each decision. */
  boolean isOpen();

  /**
   * What a closed gate waits for, beside the task's own reading, such as "the end of a transaction
   * ..."; empty when that is all.
   */
  default Optional<String> waitsFor() {
    return Optional.empty();
  }

  /**
   * Inclusive: the task decides nothing that is due later, since a record that was written earlier
   * and is not read yet may cancel it. {@code now} when no record is known to be unread.
   *
   * @param now the time of the task
   */
  Instant readThrough(Instant now);

  /**
   * Records that the task has processed a record.
   *
   * @param topic one of the task's inputs
   * @param offset of the record in the task's partition of that topic
   */
  void processed(String topic, long offset);

  /** True while the consumer has returned records that the task has not processed. */
  boolean isBehind();

  /**
   * Records how long the task is idle unless a record comes, so that the thread may poll as long.
   *
   * @param time zero or less when the task has work
   */
  void idleFor(Duration time);

  /** Marks the current end of the task's partition of the schedules topic. */
  Mark mark();

  /** An end up to which the task must read an input. */
  @FunctionalInterface
  interface Mark {
    /** True once the task has processed everything before it. */
    boolean isPassed();
  }

  /** Creates the gate of a task at its assignment. */
  @FunctionalInterface
  interface Factory {
    Gate create(TaskId task);
  }
}
