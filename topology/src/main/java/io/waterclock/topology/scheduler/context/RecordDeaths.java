package io.waterclock.topology.scheduler.context;

import io.waterclock.topology.scheduler.input.Inbound;
import java.util.Optional;

/**
 * Knows the records that tasks must not take in: those that have ended stream threads, and those
 * that an administrator sets aside. docs/adr/0013-set-aside.md explains how. By default it allows
 * every record, and notes nothing. For the stream threads.
 */
public interface RecordDeaths {

  /** A task was assigned: the notes of all instances count from its first record on. */
  default void assigned() {}

  /** Why a task must set a record aside; empty if it may take the record in. */
  default Optional<String> verdict(Inbound inbound) {
    return Optional.empty();
  }

  /** Changes whenever a verdict may have changed. */
  default long version() {
    return 0;
  }

  /**
   * A task begins to take a record in. Called for each record, so it must cost only nanoseconds.
   *
   * @param task the number of the task's partition
   */
  default void begun(int task, Inbound inbound) {}

  /** A task has taken its record in. */
  default void ended(int task) {}

  /** A failure during a record ends the thread. Returns once the death is noted. */
  default void died(int task, Inbound inbound, Throwable cause) {}

  static RecordDeaths none() {
    return new RecordDeaths() {};
  }
}
