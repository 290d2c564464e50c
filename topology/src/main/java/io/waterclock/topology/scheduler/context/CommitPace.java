package io.waterclock.topology.scheduler.context;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a task may request a commit: normally at once, because consumers of fires and
 * answers read only committed records; with a pause after each commit while fetched input waits.
 *
 * <p>Idea: Kafka Streams processes more records in each round while no tick and no commit
 * interrupts it, and falls back to one record per task and round when each round ticks or commits.
 * A commit takes longer than a tick's interval. Without the pause, every round would process one
 * record and commit once: some hundred records a second under any load.
 *
 * <p>The tasks of a stream thread share one transaction, so a commit is the whole thread's, and
 * they share one pace: while one task is behind, all of them pause together.
 */
public final class CommitPace {
  private static final long PAUSE_NANOS = Duration.ofMillis(25).toNanos();

  /** The pace of one stream thread. Used by that thread only. */
  public static final class OfThread {
    private final LongSupplier nanoTime;
    private final Set<CommitPace> behind = new HashSet<>();
    private @Nullable CommitPace committing;
    private long mayCommitAt;

    /**
     * @param nanoTime as of {@link System#nanoTime}
     */
    public OfThread(LongSupplier nanoTime) {
      this.nanoTime = nanoTime;
      this.mayCommitAt = nanoTime.getAsLong();
    }

    /** Creates the pace of a task that the thread got. */
    public CommitPace join() {
      return new CommitPace(this);
    }
  }

  private final OfThread thread;

  private CommitPace(OfThread thread) {
    this.thread = thread;
  }

  /** Call first whenever the task begins to work: the commit that it requested is done by then. */
  public void awake() {
    if (thread.committing == this) {
      thread.committing = null;
      thread.mayCommitAt = thread.nanoTime.getAsLong() + PAUSE_NANOS;
    }
  }

  /**
   * @param isBehind true when records were fetched for the task that are not yet processed
   */
  public boolean mayCommit(boolean isBehind) {
    if (isBehind) {
      thread.behind.add(this);
    } else {
      thread.behind.remove(this);
    }
    return thread.behind.isEmpty()
        || (thread.committing == null && thread.nanoTime.getAsLong() - thread.mayCommitAt >= 0);
  }

  /** True while fetched input waits for any task of the thread. */
  public boolean isThreadBehind() {
    return !thread.behind.isEmpty();
  }

  /** Notes that the task requested a commit, which comes before the task works again. */
  public void requested() {
    thread.committing = this;
  }

  /** Removes the task from the thread. */
  public void leave() {
    awake();
    thread.behind.remove(this);
  }
}
