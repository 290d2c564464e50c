package io.waterclock.bench.meter;

/** Receives each fire, on one thread at a time. */
@FunctionalInterface
public interface FireListener {
  /**
   * @param number of the schedule
   * @param dueMs when the fire was due, epoch milliseconds
   * @param seenUs when it was seen, epoch microseconds
   */
  void fired(int number, long dueMs, long seenUs);
}
