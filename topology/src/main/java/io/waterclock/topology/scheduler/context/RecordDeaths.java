package io.waterclock.topology.scheduler.context;

import io.waterclock.topology.scheduler.input.Inbound;
import java.util.Optional;

/**
 * Knows the records that tasks must not take in: those that have ended stream threads, and those
 * that an administrator sets aside. docs/adr/0013-set-aside.md explains how. For the stream
 * threads.
 */
public interface RecordDeaths {

  /** A task was assigned: the notes of all instances count from its first record on. */
  void assigned();

  /** Why a task must set a record aside; empty if it may take the record in. */
  Optional<String> verdict(Inbound inbound);

  /** Changes whenever a verdict may have changed. */
  long version();

  /**
   * A task begins to take a record in. Called for each record, so it must cost only nanoseconds.
   *
   * @param task the number of the task's partition
   */
  void begun(int task, Inbound inbound);

  /** A task has taken its record in. */
  void ended(int task);

  /** A failure during a record ends the thread. Returns once the death is noted. */
  void died(int task, Inbound inbound, Throwable cause);

  /** Allows every record, and notes nothing. */
  static RecordDeaths none() {
    return new RecordDeaths() {
      @Override
      public void assigned() {}

      @Override
      public Optional<String> verdict(Inbound inbound) {
        return Optional.empty();
      }

      @Override
      public long version() {
        return 0;
      }

      @Override
      public void begun(int task, Inbound inbound) {}

      @Override
      public void ended(int task) {}

      @Override
      public void died(int task, Inbound inbound, Throwable cause) {}
    };
  }
}
