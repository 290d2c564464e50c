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
    return all.hasLeft(who, System.nanoTime());
  }

  /** Does a piece of the work of a request, on this thread. */
  <T> T pay(Supplier<T> work) {
    long beganNs = THREADS.getCurrentThreadCpuTime();
    try {
      return work.get();
    } finally {
      all.spend(who, THREADS.getCurrentThreadCpuTime() - beganNs, System.nanoTime());
    }
  }
}
