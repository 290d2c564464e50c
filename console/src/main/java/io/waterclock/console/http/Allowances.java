package io.waterclock.console.http;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * How much processor time requests, or computations, may take, so that no flood of them takes it
 * from a scheduler on the same machine. Each one who asks has an allowance, and all of them
 * together have twice that: what was spent comes back at a share of real time, up to the whole.
 * Thread-safe.
 */
final class Allowances {
  /** What requests may take at once. */
  static final Duration WHOLE = Duration.ofSeconds(4);

  /** What requests take comes back in so many times the time: for long, one has an eighth. */
  static final int BACK_IN = 8;

  /**
   * A request takes at least this much off, several times as much as most need: what wakes threads
   * delays others on the same processors. For long, one has 62 a second, and 2,000 at once.
   */
  static final Duration LEAST = Duration.ofMillis(2);

  /** All together may take so many times as much as one. */
  static final int ALL = 2;

  /** With more, those that have their whole allowance are forgotten. */
  private static final int MOST = 1_000;

  private final Duration whole;
  private final int backIn;

  /** When the allowance of each will be whole again. */
  private final Map<String, Long> wholeAtNs = new HashMap<>();

  private long allWholeAtNs;

  /**
   * For requests.
   *
   * @param nowNs of a clock that never goes back
   */
  Allowances(long nowNs) {
    this(WHOLE, BACK_IN, nowNs);
  }

  /**
   * @param whole what may be taken at once
   * @param backIn what was taken comes back in so many times the time
   * @param nowNs of a clock that never goes back
   */
  Allowances(Duration whole, int backIn, long nowNs) {
    this.whole = whole;
    this.backIn = backIn;
    this.allWholeAtNs = nowNs;
  }

  /** Whether one who asks has any allowance left. */
  synchronized boolean hasLeft(String who, long nowNs) {
    return hasLeft(wholeAtNs.getOrDefault(who, nowNs), nowNs) && hasLeft(allWholeAtNs, nowNs);
  }

  private boolean hasLeft(long wholeAtNs, long nowNs) {
    return wholeAtNs - nowNs < whole.toNanos() * backIn;
  }

  /**
   * Takes processor time off an allowance.
   *
   * @param cpuNs at least {@link #LEAST} is taken
   */
  synchronized void spend(String who, long cpuNs, long nowNs) {
    long backInNs = Math.max(cpuNs, LEAST.toNanos()) * backIn;
    if (wholeAtNs.size() >= MOST) {
      wholeAtNs.values().removeIf(at -> at <= nowNs);
    }
    wholeAtNs.merge(who, nowNs + backInNs, (old, fresh) -> Math.max(old, nowNs) + backInNs);
    allWholeAtNs = Math.max(allWholeAtNs, nowNs) + backInNs / ALL;
  }
}
