package io.waterclock.topology.scheduler.task;

import io.waterclock.occurrences.core.Effort;
import io.waterclock.topology.scheduler.context.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Limits the time and the decisions of a task before its stream thread polls and commits again.
 * Reads the clock only now and then, because a read costs time; more often when decisions are
 * expensive.
 *
 * <p>The tasks of a stream thread share one budget: the thread commits the work of a round together
 * at its end, so each task delays the fires of all. A task gets the rest of the round, divided by
 * the number of tasks that share it: itself, and each task that has not had its turn yet and spent
 * its budget last time.
 */
final class TickBudget {
  private static final int LOOK_EVERY = 64;

  /** About a millisecond of searching. */
  private static final long LOOK_EVERY_STEPS = 20_000;

  /** Of the time of a round catch-up gets at most this part: commands come unannounced. */
  private static final int CATCH_UP_PART = 4;

  /** The budget of one stream thread. Used by that thread only. */
  static final class OfThread {
    private final long nanos;
    private final int decisions;
    private final long catchUpNanos;
    private final LongSupplier nanoTime;
    private final List<TickBudget> tasks = new ArrayList<>();
    private long roundBeganAt;
    private long lastRoundNanos;
    private int decisionsLeft;
    private long catchUpNanosUsed;

    /**
     * @param nanoTime as of {@link System#nanoTime}
     */
    OfThread(Settings.Budget budget, LongSupplier nanoTime) {
      this.nanoTime = nanoTime;
      this.nanos = budget.time().toNanos();
      this.decisions = budget.decisions();
      this.catchUpNanos = budget.catchUp().toNanos();
    }

    /**
     * Creates the share of a task that the thread got.
     *
     * @param effort the effort that the task's decisions spend
     */
    TickBudget join(Effort effort) {
      TickBudget task = new TickBudget(this, effort);
      tasks.add(task);
      return task;
    }

    private void leave(TickBudget task) {
      tasks.remove(task);
    }

    private void beginRound() {
      long now = nanoTime.getAsLong();
      lastRoundNanos = now - roundBeganAt;
      roundBeganAt = now;
      decisionsLeft = decisions;
      catchUpNanosUsed = 0;
      tasks.forEach(task -> task.hadTurn = false);
    }

    /**
     * What is left of the time for catch-up: all until something is due, and its own part. While
     * input is read first, that part grows with the time that a round takes to read.
     */
    private long catchUpNanosLeft(long now, boolean isBehind) {
      long free = nanos / CATCH_UP_PART;
      for (TickBudget task : tasks) {
        free = Math.min(free, task.nextLiveAt - now);
      }
      long own = isBehind ? Math.min(nanos, lastRoundNanos) / CATCH_UP_PART : 0;
      return Math.max(0, Math.max(Math.max(free, own), catchUpNanos) - catchUpNanosUsed);
    }

    /** The number of tasks that share the rest of the round. */
    private int sharers(TickBudget self) {
      int others = 0;
      for (TickBudget task : tasks) {
        if (task != self && !task.hadTurn && task.spent) {
          others++;
        }
      }
      return others + 1;
    }
  }

  private final OfThread thread;
  private final Effort effort;
  private long stepsAtLook;
  private boolean hadTurn = true;
  private long endsAt;
  private int decisionsLeft;
  private int untilLook;
  private long catchUpBeganAt;
  private long nextLiveAt;
  private long sliceEndsAt;
  private boolean spent;
  private boolean liveSpent;

  private TickBudget(OfThread thread, Effort effort) {
    this.thread = thread;
    this.effort = effort;
    this.nextLiveAt = thread.nanoTime.getAsLong();
  }

  /** Begins the task's turn, and a new round if the task already had its turn. */
  void start() {
    if (hadTurn) {
      thread.beginRound();
    }
    hadTurn = true;
    int sharers = thread.sharers(this);
    long now = thread.nanoTime.getAsLong();
    long left = Math.max(0, thread.roundBeganAt + thread.nanos - now);
    endsAt = now + left / sharers;
    decisionsLeft = Math.max(1, thread.decisionsLeft / sharers);
    untilLook = LOOK_EVERY;
    stepsAtLook = effort.total();
    spent = false;
  }

  /**
   * Begins the late work of this turn: it gets at most the task's share of the time that a round
   * has for catch-up.
   *
   * @param untilLive how long nothing of the task is due that is in time; zero if something is
   * @param isBehind true while input is unread: that is read first
   */
  void startCatchUp(Duration untilLive, boolean isBehind) {
    liveSpent = spent;
    catchUpBeganAt = thread.nanoTime.getAsLong();
    nextLiveAt =
        catchUpBeganAt
            + (isBehind
                ? 0
                : Math.min(TimeUnit.MILLISECONDS.toNanos(untilLive.toMillis()), thread.nanos));
    long left = thread.catchUpNanosLeft(catchUpBeganAt, isBehind) / thread.sharers(this);
    endsAt = Math.min(endsAt, catchUpBeganAt + left);
  }

  /** Ends the work that {@link #startCatchUp} began. */
  void endCatchUp() {
    thread.catchUpNanosUsed += thread.nanoTime.getAsLong() - catchUpBeganAt;
  }

  /** Reads the clock at once: for work in long slices. */
  boolean isSpentNow() {
    stepsAtLook = effort.total();
    spent = thread.nanoTime.getAsLong() - endsAt > 0;
    return spent;
  }

  /** Begins a slice of work that is less urgent than fires, with a time of its own. */
  void startSlice(Duration time) {
    sliceEndsAt = thread.nanoTime.getAsLong() + time.toNanos();
  }

  /** Call within a slice, before each part but the first: costs a look at the clock. */
  boolean isSliceSpent() {
    return thread.nanoTime.getAsLong() - sliceEndsAt >= 0 || isSpentEarly();
  }

  /** Call within a slice: true when expensive work has used up the time. */
  boolean isSpentEarly() {
    return effort.total() - stepsAtLook > LOOK_EVERY_STEPS && isSpentNow();
  }

  /** Call before each decision. */
  boolean isSpent() {
    if (decisionsLeft == 0) {
      spent = true;
      return true;
    }
    decisionsLeft--;
    thread.decisionsLeft--;
    if (--untilLook == 0) {
      untilLook = LOOK_EVERY;
      return isSpentNow();
    }
    return isSpentEarly() || spent;
  }

  /** True when each task of the thread fired everything that was due in its last turn. */
  boolean keepsUp() {
    return thread.tasks.stream().noneMatch(task -> task.liveSpent);
  }

  /** True when no task of the thread spent its budget in its last turn. */
  boolean hasRoom() {
    return thread.tasks.stream().noneMatch(task -> task.spent);
  }

  /** Removes the task from the thread. */
  void leave() {
    thread.leave(this);
  }
}
