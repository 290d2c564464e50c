package io.waterclock.topology.stream;

import java.time.Duration;
import java.time.Instant;

/**
 * Says when a task may ask for a commit: at once as a rule, since whoever waits for a fire or an
 * answer reads committed records only; with a pause after each commit while fetched input waits.
 *
 * <p>Idea: a stream thread takes in the more records in a round the longer it was left alone, and
 * falls back to one record a round when it had to tick or to commit in each. A commit takes longer
 * than a tick's interval, so without the pause every round would bring one record and one commit: a
 * hundred records a second, whatever their number.
 */
final class CommitPace {
  private static final Duration PAUSE = Duration.ofMillis(50);

  private boolean committing;
  private Instant committedAt = Instant.EPOCH;

  /** To be called first whenever the task gets to work: what was asked for is done by then. */
  void awake(Instant now) {
    if (committing) {
      committing = false;
      committedAt = now;
    }
  }

  /**
   * @param behind true when records were fetched that are not yet processed
   */
  boolean mayCommit(boolean behind, Instant now) {
    return !behind || !now.isBefore(committedAt.plus(PAUSE));
  }

  /** A commit was asked for; it comes before the task gets to work again. */
  void asked() {
    committing = true;
  }
}
