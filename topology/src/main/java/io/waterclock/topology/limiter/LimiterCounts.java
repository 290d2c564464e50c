package io.waterclock.topology.limiter;

import java.util.concurrent.atomic.AtomicLong;

/** What a task of the limiter has done since it was assigned. Thread-safe. */
public final class LimiterCounts {
  private final AtomicLong waiting = new AtomicLong();
  private final AtomicLong running = new AtomicLong();
  private final AtomicLong started = new AtomicLong();
  private final AtomicLong withdrawn = new AtomicLong();
  private final AtomicLong timedOut = new AtomicLong();

  void now(long nowWaiting, long nowRunning) {
    waiting.set(nowWaiting);
    running.set(nowRunning);
  }

  void started() {
    started.incrementAndGet();
  }

  void withdrawn() {
    withdrawn.incrementAndGet();
  }

  void timedOut() {
    timedOut.incrementAndGet();
  }

  /** Fires that wait now. */
  public long waiting() {
    return waiting.get();
  }

  /** Fires that count as running now. */
  public long running() {
    return running.get();
  }

  /** Fires that have started. */
  public long starts() {
    return started.get();
  }

  /** Fires that were withdrawn, or had expired. */
  public long withdrawals() {
    return withdrawn.get();
  }

  /** Runs that counted until their time was up. */
  public long timeouts() {
    return timedOut.get();
  }
}
