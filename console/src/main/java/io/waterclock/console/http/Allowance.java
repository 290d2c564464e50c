package io.waterclock.console.http;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.function.Supplier;

/**
 * The allowance of one who asks: a request takes from it on each thread that works for it.
 * Thread-safe.
 */
record Allowance(Allowances all, String who) {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  boolean hasLeft() {
    return all.hasLeft(who);
  }

  /** The same, of which a long piece of work on one thread takes while it runs. */
  Meter meter() {
    return new Meter(this, THREADS.getCurrentThreadCpuTime());
  }

  /** For the thread that it was made on. */
  static final class Meter {
    /** Less is not taken: it would count as {@link Allowances#LEAST}, each time. */
    private static final long STEP_NS = 5 * Allowances.LEAST.toNanos();

    private final Allowance allowance;
    private long takenNs;

    private Meter(Allowance allowance, long beganNs) {
      this.allowance = allowance;
      this.takenNs = beganNs;
    }

    /** Takes what the thread has computed since it was called last. */
    void take() {
      long nowNs = THREADS.getCurrentThreadCpuTime();
      if (nowNs - takenNs >= STEP_NS) {
        allowance.all.spend(allowance.who, nowNs - takenNs);
        takenNs = nowNs;
      }
    }
  }

  /** Does a piece of the work of a request, on this thread. */
  <T> T pay(Supplier<T> work) {
    long beganNs = THREADS.getCurrentThreadCpuTime();
    try {
      return work.get();
    } finally {
      all.spend(who, THREADS.getCurrentThreadCpuTime() - beganNs);
    }
  }
}
