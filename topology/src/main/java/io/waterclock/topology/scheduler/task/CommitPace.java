package io.waterclock.topology.scheduler.task;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Says when a task may ask for a commit: at once as a rule, since whoever waits for a fire or an
 * answer reads committed records only; with a pause after each commit while fetched input waits.
 *
 * <p>Idea: a stream thread takes in the more records in a round the longer it was left alone, and
 * falls back to one record of each task a round when it had to tick or to commit in each. A commit
 * takes longer than a tick's interval, so without the pause every round would bring one record and
 * one commit: some hundred records a second, whatever their number.
 *
 * <p>The tasks of a stream thread share one pace: a commit is the whole thread's, as they share one
 * transaction. So while one of them is behind, all of them pause together.
 */
final class CommitPace {
  private static final long PAUSE_NANOS = Duration.ofMillis(25).toNanos();

  /** The pace of one stream thread. Used by that thread only. */
  static final class OfThread {
    private final LongSupplier nanoTime;
    private final Set<CommitPace> behind = new HashSet<>();
    private @Nullable CommitPace committing;
    private long mayCommitAt;

    /**
     * @param nanoTime as of {@link System#nanoTime}
     */
    OfThread(LongSupplier nanoTime) {
      this.nanoTime = nanoTime;
      this.mayCommitAt = nanoTime.getAsLong();
    }

    /** The pace of a task that has come to the thread. */
    CommitPace join() {
      return new CommitPace(this);
    }
  }

  private final OfThread thread;

  private CommitPace(OfThread thread) {
    this.thread = thread;
  }

  /** To be called first whenever the task gets to work: what it asked for is done by then. */
  void awake() {
    if (thread.committing == this) {
      thread.committing = null;
      thread.mayCommitAt = thread.nanoTime.getAsLong() + PAUSE_NANOS;
    }
  }

  /**
   * @param isBehind true when records were fetched for the task that are not yet processed
   */
  boolean mayCommit(boolean isBehind) {
    if (isBehind) {
      thread.behind.add(this);
    } else {
      thread.behind.remove(this);
    }
    return thread.behind.isEmpty()
        || (thread.committing == null && thread.nanoTime.getAsLong() - thread.mayCommitAt >= 0);
  }

  /** True while fetched input waits for any task of the thread. */
  boolean isThreadBehind() {
    return !thread.behind.isEmpty();
  }

  /** A commit was asked for; it comes before the task gets to work again. */
  void asked() {
    thread.committing = this;
  }

  /** The task has gone from the thread. */
  void leave() {
    awake();
    thread.behind.remove(this);
  }
}
