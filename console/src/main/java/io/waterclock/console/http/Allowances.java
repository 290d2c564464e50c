package io.waterclock.console.http;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * How much processor time requests, or computations, may take, so that no flood of them takes it
 * from a scheduler on the same machine. Each one who asks has an allowance, and all of them
 * together have twice that: what was spent comes back at a share of real time, up to the whole.
 * Those who took most of late are refused before what all have is used up, so that the others find
 * some left. Thread-safe.
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

  /** One who took all of late is refused when this part of what all have is left. */
  private static final double LEFT_TO_OTHERS = 0.25;

  /** With more, those that have their whole allowance are forgotten. */
  private static final int MOST = 1_000;

  private final int backIn;

  /** How long it takes until what was taken at once is back. */
  private final long periodNs;

  private final LongSupplier clockNs;
  private final Map<String, Account> accounts = new HashMap<>();
  private final Account all;

  /** What one, or all, have taken. */
  private static final class Account {
    private final long periodNs;
    private long wholeAtNs;

    /** Fades with time. */
    private double taken;

    private long takenAtNs;

    Account(long periodNs, long nowNs) {
      this.periodNs = periodNs;
      this.wholeAtNs = nowNs;
      this.takenAtNs = nowNs;
    }

    void spend(long backInNs, long nowNs) {
      taken = takenOfLate(nowNs) + backInNs;
      takenAtNs = nowNs;
      wholeAtNs = Math.max(wholeAtNs, nowNs) + backInNs;
    }

    double takenOfLate(long nowNs) {
      return taken * Math.exp((double) (takenAtNs - nowNs) / periodNs);
    }

    /** How much of the period must pass until it is whole. */
    double used(long nowNs) {
      return (double) (wholeAtNs - nowNs) / periodNs;
    }
  }

  /**
   * For requests.
   *
   * @param clockNs never goes back
   */
  Allowances(LongSupplier clockNs) {
    this(WHOLE, BACK_IN, clockNs);
  }

  /**
   * @param whole what may be taken at once
   * @param backIn what was taken comes back in so many times the time
   * @param clockNs never goes back
   */
  Allowances(Duration whole, int backIn, LongSupplier clockNs) {
    this.backIn = backIn;
    this.periodNs = whole.toNanos() * backIn;
    this.clockNs = clockNs;
    this.all = new Account(periodNs, clockNs.getAsLong());
  }

  synchronized boolean hasLeft(String who) {
    long nowNs = clockNs.getAsLong();
    Account own = accounts.get(who);
    if (own == null) {
      return all.used(nowNs) < 1;
    }
    return own.used(nowNs) < 1 && all.used(nowNs) < 1 - LEFT_TO_OTHERS * share(own, nowNs);
  }

  /** Of what all took of late. */
  private double share(Account own, long nowNs) {
    return own.takenOfLate(nowNs) / Math.max(1, all.takenOfLate(nowNs) * ALL);
  }

  /**
   * Takes processor time off an allowance.
   *
   * @param cpuNs at least {@link #LEAST} is taken
   */
  synchronized void spend(String who, long cpuNs) {
    long nowNs = clockNs.getAsLong();
    long backInNs = Math.max(cpuNs, LEAST.toNanos()) * backIn;
    if (accounts.size() >= MOST) {
      accounts.values().removeIf(one -> one.used(nowNs) <= 0);
    }
    accounts.computeIfAbsent(who, first -> new Account(periodNs, nowNs)).spend(backInNs, nowNs);
    all.spend(backInNs / ALL, nowNs);
  }
}
