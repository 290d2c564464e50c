package io.waterclock.client.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What a worker that polls does, as the heartbeats tell that the coordinator of its group has
 * answered. Without them it holds what it has and gets nothing new. Used by one thread.
 */
final class Heartbeats {
  private final Duration patience;
  private Optional<Instant> lastSign = Optional.empty();
  private double answered;

  /**
   * @param patience how long there may be none
   */
  Heartbeats(Duration patience) {
    this.patience = patience;
  }

  /** The group has told which partitions it gives. */
  void joined(Instant now) {
    lastSign = Optional.of(now);
  }

  /**
   * @param answeredInAll how many have been answered since the beginning
   */
  FireWorker.State state(double answeredInAll, Instant now) {
    if (answeredInAll > answered) {
      answered = answeredInAll;
      lastSign = Optional.of(now);
    }
    return lastSign
        .map(
            sign ->
                now.isBefore(sign.plus(patience))
                    ? FireWorker.State.RUNNING
                    : FireWorker.State.WAITING)
        .orElse(FireWorker.State.STARTING);
  }
}
