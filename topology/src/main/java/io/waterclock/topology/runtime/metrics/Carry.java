package io.waterclock.topology.runtime.metrics;

import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Carries what a task has counted over to a total of the instance, which outlives the task. For the
 * task's stream thread.
 */
final class Carry {
  private final LongSupplier count;
  private final LongConsumer total;
  private long carried;

  /**
   * @param count never falls
   * @param total is given what has come since the last time
   */
  Carry(LongSupplier count, LongConsumer total) {
    this.count = count;
    this.total = total;
  }

  void run() {
    long now = count.getAsLong();
    if (now != carried) {
      total.accept(now - carried);
      carried = now;
    }
  }
}
