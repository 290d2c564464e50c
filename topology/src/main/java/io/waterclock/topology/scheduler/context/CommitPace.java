package io.waterclock.topology.scheduler.context;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a task may request a commit: normally at once, because consumers of fires and
 * answers read only committed records; with a pause after each commit while fetched input waits.
 * And how often it ticks meanwhile.
 *
 * <p>Idea: Kafka Streams processes more records in each round while no tick and no commit
 * interrupts it, and falls back to one record per task and round when each round ticks or commits.
 * A commit takes longer than a tick's interval. Without the pause, every round would process one
 * record and commit once: some hundred records a second under any load. On a slow machine, or in a
 * JVM that still compiles, ticks and commits take longer, and so do the pauses between them: most
 * of the time remains for the input.
 *
 * <p>The tasks of a stream thread share one transaction, so a commit is the whole thread's, and
 * they share one pace: while one task is behind, all of them pause together.
 */
public final class CommitPace {
  /** A pause is as long as the commit before it, but not shorter than this, inclusive. */
  private static final long SHORTEST_PAUSE = Duration.ofMillis(25).toNanos();

  /** Inclusive. */
  private static final long LONGEST_PAUSE = Duration.ofMillis(250).toNanos();

  /** The shortest and the longest tick while the thread is behind, inclusive. */
  private static final Duration UNHURRIED = Duration.ofMillis(5);

  private static final Duration LONGEST_TICK = UNHURRIED.multipliedBy(16);

  /** While the thread is behind, its ticks get at most this part of its time. */
  private static final int TICKS_PART = 8;

  /** The weight of one tick in the mean of their times. */
  private static final int WEIGHT = 16;

  /** The pace of one stream thread. Used by that thread only. */
  public static final class OfThread {
    private final LongSupplier nanoTime;
    private final Set<CommitPace> behind = new HashSet<>();
    private @Nullable CommitPace committing;
    private long requestedAt;
    private long mayCommitAt;
    private int tasks;
    private long tickNanos;

    /**
     * @param nanoTime as of {@link System#nanoTime}
     */
    public OfThread(LongSupplier nanoTime) {
      this.nanoTime = nanoTime;
      this.mayCommitAt = nanoTime.getAsLong();
    }

    /** Creates the pace of a task that the thread got. */
    public CommitPace join() {
      tasks++;
      return new CommitPace(this);
    }
  }

  private final OfThread thread;
  private long tickBeganAt;

  private CommitPace(OfThread thread) {
    this.thread = thread;
  }

  /**
   * Call first when the task processes a record: no task does so between the request of a commit
   * and its end.
   */
  public void beginRecord() {
    if (thread.committing != null) {
      committed();
    }
  }

  /** Call first in a tick: other tasks tick between the request and the commit. */
  public void beginTick() {
    if (thread.committing == this) {
      committed();
    }
    tickBeganAt = thread.nanoTime.getAsLong();
  }

  private void committed() {
    thread.committing = null;
    long now = thread.nanoTime.getAsLong();
    long pause = Math.min(LONGEST_PAUSE, now - thread.requestedAt);
    thread.mayCommitAt = now + Math.max(SHORTEST_PAUSE, pause);
  }

  /** Call last in a tick. */
  public void endTick() {
    long nanos = thread.nanoTime.getAsLong() - tickBeganAt;
    thread.tickNanos += (nanos - thread.tickNanos) / WEIGHT;
  }

  /**
   * The time between two ticks while input comes first: 5 ms and, where the ticks of all tasks take
   * long, twice that and so on, up to 80 ms.
   */
  public Duration unhurried() {
    long wanted = thread.tickNanos * thread.tasks * TICKS_PART;
    Duration interval = UNHURRIED;
    while (interval.toNanos() < wanted && interval.compareTo(LONGEST_TICK) < 0) {
      interval = interval.multipliedBy(2);
    }
    return interval;
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
    thread.requestedAt = thread.nanoTime.getAsLong();
  }

  /** Removes the task from the thread. */
  public void leave() {
    if (thread.committing == this) {
      committed();
    }
    thread.tasks--;
    thread.behind.remove(this);
  }
}
