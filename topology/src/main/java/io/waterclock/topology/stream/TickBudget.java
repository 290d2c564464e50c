package io.waterclock.topology.stream;

import java.time.Duration;

/** How long a tick may go on. Looks at the time only now and then, as a look costs too. */
final class TickBudget {
  private static final int LOOK_EVERY = 64;

  private final long nanos;
  private long startedAt;
  private int untilLook;
  private boolean spent;

  TickBudget(Duration budget) {
    this.nanos = budget.toNanos();
  }

  void start() {
    startedAt = System.nanoTime();
    untilLook = LOOK_EVERY;
    spent = false;
  }

  /** Looks at the time at once: for work in slices that are long themselves. */
  boolean isSpentNow() {
    spent = System.nanoTime() - startedAt > nanos;
    return spent;
  }

  boolean isSpent() {
    if (--untilLook <= 0) {
      untilLook = LOOK_EVERY;
      spent = System.nanoTime() - startedAt > nanos;
    }
    return spent;
  }
}
