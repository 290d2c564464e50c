package io.waterclock.bench.meter;

/**
 * The course of a herd from due to visible.
 *
 * @param count fires
 * @param inFirstPoll how many of them the first poll with any brought
 * @param early how many came before they were due
 * @param firstUs microseconds from due to the first visible fire
 * @param lastUs microseconds from due to the last visible fire
 */
public record Drain(int count, int inFirstPoll, int early, long firstUs, long lastUs) {

  /** Fires per second from the due instant, or the first that came early, until the last. */
  public double rate() {
    return count * 1e6 / (lastUs - Math.min(0, firstUs));
  }

  /**
   * Fires per second between the first visible and the last; what the first poll brought is out.
   */
  public double drainRate() {
    return lastUs == firstUs ? rate() : (count - inFirstPoll) * 1e6 / (lastUs - firstUs);
  }
}
