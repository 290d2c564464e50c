package io.waterclock.bench;

/**
 * How a herd drained.
 *
 * @param count fires
 * @param inFirstPoll how many of them the first poll with any brought
 * @param firstUs microseconds from due to the first visible fire
 * @param lastUs microseconds from due to the last visible fire
 */
record Drain(int count, int inFirstPoll, long firstUs, long lastUs) {

  /** Fires per second from the due instant until the last is visible. */
  double rate() {
    return count * 1e6 / lastUs;
  }

  /**
   * Fires per second between the first visible and the last; what the first poll brought is out.
   */
  double drainRate() {
    return lastUs == firstUs ? rate() : (count - inFirstPoll) * 1e6 / (lastUs - firstUs);
  }
}
