package io.waterclock.topology.scheduler.context;

import io.waterclock.topology.scheduler.input.Inbound;
import java.util.Optional;

/**
 * Knows which records must not be taken in: those of which stream threads have died, and those that
 * an administrator sets aside. docs/adr/0013-set-aside.md says how. Called from the stream threads.
 */
public interface RecordDeaths {

  /** A task was assigned: what others have noted of its records counts from its first record on. */
  void assigned();

  /** Why a record is to be set aside; empty for one that is to be taken in. */
  Optional<String> verdict(Inbound inbound);

  /** Changes when a verdict may have. */
  long version();

  /**
   * A task begins to take a record in. Called for each record, so it takes some nanoseconds.
   *
   * @param task the number of the task's partition
   */
  void begun(int task, Inbound inbound);

  /** A task takes nothing in any more. */
  void ended(int task);

  /** Taking a record in has failed in a way that ends the thread. Returns once that is noted. */
  void died(int task, Inbound inbound, Throwable cause);

  /** Takes everything in, and notes nothing. */
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
