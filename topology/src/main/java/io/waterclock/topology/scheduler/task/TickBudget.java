package io.waterclock.topology.scheduler.task;

import io.waterclock.occurrences.core.Effort;
import io.waterclock.topology.scheduler.context.Settings;
import java.util.ArrayList;
import java.util.List;

/**
 * How long, and for how many decisions, a task may work before its stream thread polls and commits
 * again. Looks at the time only now and then, as a look costs too; sooner where decisions cost
 * much.
 *
 * <p>The tasks of a stream thread share one budget: what they did in a round is committed together
 * at its end, so each of them delays the fires of all. A task gets what is left of the round,
 * divided by the number of tasks that come after it and had more to do than they could last time.
 */
final class TickBudget {
  private static final int LOOK_EVERY = 64;

  /** About a millisecond of searching. */
  private static final long LOOK_EVERY_STEPS = 20_000;

  /** The budget of one stream thread. Used by that thread only. */
  static final class OfThread {
    private final long nanos;
    private final int decisions;
    private final long catchUpNanos;
    private final List<TickBudget> tasks = new ArrayList<>();
    private long roundBeganAt;
    private int decisionsLeft;
    private long catchUpNanosLeft;

    OfThread(Settings.Budget budget) {
      this.nanos = budget.time().toNanos();
      this.decisions = budget.decisions();
      this.catchUpNanos = budget.catchUp().toNanos();
    }

    /**
     * The share of a task that has come to the thread.
     *
     * @param effort that the task's decisions spend
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
      roundBeganAt = System.nanoTime();
      decisionsLeft = decisions;
      catchUpNanosLeft = catchUpNanos;
      tasks.forEach(task -> task.hadTurn = false);
    }

    /** Among how many tasks the rest of the round is divided. */
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
  private boolean spent;
  private boolean liveSpent;

  private TickBudget(OfThread thread, Effort effort) {
    this.thread = thread;
    this.effort = effort;
  }

  /** Begins the task's turn. A task that had its turn already begins a new round. */
  void start() {
    if (hadTurn) {
      thread.beginRound();
    }
    hadTurn = true;
    int sharers = thread.sharers(this);
    long now = System.nanoTime();
    long left = Math.max(0, thread.roundBeganAt + thread.nanos - now);
    endsAt = now + left / sharers;
    decisionsLeft = Math.max(1, thread.decisionsLeft / sharers);
    untilLook = LOOK_EVERY;
    stepsAtLook = effort.total();
    spent = false;
  }

  /**
   * What follows in this turn is late anyway: it gets at most the task's share of the time that a
   * round has for such work.
   */
  void startCatchUp() {
    liveSpent = spent;
    catchUpBeganAt = System.nanoTime();
    long left = Math.max(0, thread.catchUpNanosLeft) / thread.sharers(this);
    endsAt = Math.min(endsAt, catchUpBeganAt + left);
  }

  /** Ends what {@link #startCatchUp} began. */
  void endCatchUp() {
    thread.catchUpNanosLeft -= System.nanoTime() - catchUpBeganAt;
  }

  /** Looks at the time at once: for work in slices that are long themselves. */
  boolean isSpentNow() {
    stepsAtLook = effort.total();
    spent = System.nanoTime() - endsAt > 0;
    return spent;
  }

  /** To be asked within a slice: true when it has cost so much that the time is over. */
  boolean isSpentEarly() {
    return effort.total() - stepsAtLook > LOOK_EVERY_STEPS && isSpentNow();
  }

  /** To be asked before each decision. */
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

  /** True when no task of the thread had more to fire in time than it could, at its last turn. */
  boolean keepsUp() {
    return thread.tasks.stream().noneMatch(task -> task.liveSpent);
  }

  /** True when no task of the thread had more to do than it could, at its last turn. */
  boolean hasRoom() {
    return thread.tasks.stream().noneMatch(task -> task.spent);
  }

  /** The task has gone from the thread. */
  void leave() {
    thread.leave(this);
  }
}
