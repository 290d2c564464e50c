package io.waterclock.runtime.metrics;

import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Adds a count of a task to a total of the instance, which outlives the task. For the task's stream
 * thread.
 */
final class Carry {
  private final LongSupplier count;
  private final LongConsumer total;
  private long carried;

  /**
   * @param count never decreases
   * @param total receives the increase since the last run
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
