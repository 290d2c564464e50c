package io.waterclock.client.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The state of a worker that polls, from the heartbeats that the coordinator of its group has
 * answered. Without answers the worker keeps its fires and gets no new ones. Used by one thread.
 */
final class Heartbeats {
  private final Duration patience;
  private Optional<Instant> lastSign = Optional.empty();
  private double answered;

  /**
   * @param patience how long the coordinator may leave heartbeats unanswered
   */
  Heartbeats(Duration patience) {
    this.patience = patience;
  }

  /** The group has assigned partitions to the worker. */
  void joined(Instant now) {
    lastSign = Optional.of(now);
  }

  /**
   * @param answeredInAll how many heartbeats the coordinator has answered since the start
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
