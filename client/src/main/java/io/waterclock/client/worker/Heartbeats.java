package io.waterclock.client.worker;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * The state of a worker that polls, from the heartbeats that the coordinator of its group has
 * answered. Without answers the worker keeps its fires and gets no new ones. Used by one thread.
 */
final class Heartbeats {
  private final Duration patience;
  private final String brokers;
  private Optional<Instant> lastSign = Optional.empty();
  private double answered;

  /**
   * @param patience how long the coordinator may leave heartbeats unanswered
   * @param brokers their addresses
   */
  Heartbeats(Duration patience, String brokers) {
    this.patience = patience;
    this.brokers = brokers;
  }

  /** The group has assigned partitions to the worker. */
  void joined(Instant now) {
    lastSign = Optional.of(now);
  }

  /**
   * @param answeredInAll how many heartbeats the coordinator has answered since the start
   */
  WorkerStatus status(double answeredInAll, Instant now) {
    if (answeredInAll > answered) {
      answered = answeredInAll;
      lastSign = Optional.of(now);
    }
    return lastSign
        .map(
            sign ->
                now.isBefore(sign.plus(patience))
                    ? WorkerStatus.of(WorkerStatus.State.RUNNING)
                    : WorkerStatus.of(
                        WorkerStatus.State.DEGRADED,
                        ("the coordinator of the group has not answered since %s: the brokers at %s"
                                + " are away, or a rebalance does not end")
                            .formatted(sign.truncatedTo(ChronoUnit.SECONDS), brokers)))
        .orElse(
            WorkerStatus.of(
                WorkerStatus.State.CONNECTING,
                "the group has not assigned partitions yet, at the brokers " + brokers));
  }
}
