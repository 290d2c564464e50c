package io.waterclock.bench;

/** Hears of each fire, on one thread at a time. */
@FunctionalInterface
interface FireListener {
  /**
   * @param number of the schedule
   * @param dueMs when the fire was due, epoch milliseconds
   * @param seenUs when it was seen, epoch microseconds
   */
  void fired(int number, long dueMs, long seenUs);
}
