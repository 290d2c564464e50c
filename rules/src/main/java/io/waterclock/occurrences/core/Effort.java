package io.waterclock.occurrences.core;

/**
 * A limit on the steps of a computation, so that no definition can block the thread that decides
 * it.
 *
 * <p>Idea: a metered trigger spends a step for each element that it examines and for each 97 days
 * that it passes. A caller that loops spends its own steps. When no steps are left, {@link #spend}
 * throws and ends the computation. Work that may stop early (a count, which is then a lower bound;
 * cutting a long range, which continues later) asks {@link #hasReserve} and leaves the second half
 * to work that must not stop.
 *
 * <p>Cost: a subtraction and a comparison a step. A step takes some tens of nanoseconds, so that
 * {@link #DECISION} steps take some tens of milliseconds at most.
 *
 * <p>Example: {@code FREQ=SECONDLY;INTERVAL=7;BYSECOND=1,2,3} spends about two steps an occurrence.
 * Counting its 1.9 million occurrences of a year stops after 100,000 with a lower bound.
 *
 * <p>Not thread-safe: a meter, and each trigger that it meters, belongs to one thread.
 */
public final class Effort {
  /**
   * The steps for the next occurrence of a new definition. A definition that needs more is
   * rejected.
   */
  public static final long SEARCH = 25_000;

  /** The steps for one decision about one schedule. */
  public static final long DECISION = 400_000;

  /** Never ends, and counts nothing. Safe for use by several threads. */
  static final Effort UNLIMITED = new Effort(0, new Total());

  private static final int BITS_OF_97_DAYS = 23;

  /** A search that finds nothing gives up after as many seconds. */
  private static final long FARTHEST = 2 * Civil.SECONDS_PER_CYCLE;

  /** What a meter and those beside it have ever spent. */
  private static final class Total {
    private long steps;
  }

  private final long limit;
  private final Total total;
  private long left;
  private long reserve;

  private Effort(long limit, Total total) {
    this.limit = limit;
    this.total = total;
    this.left = limit;
    this.reserve = limit / 2;
  }

  /** A meter with so many steps, from 1. */
  public static Effort of(long steps) {
    return new Effort(steps, new Total());
  }

  /**
   * A meter with so many steps of its own, from 1, for work with a limit of its own. What it spends
   * counts in the {@link #total} of this meter, and takes nothing from what is left here.
   */
  public Effort beside(long steps) {
    return new Effort(steps, limit == 0 ? new Total() : total);
  }

  /** A meter that never ends and counts nothing. Safe for use by several threads. */
  public static Effort unlimited() {
    return UNLIMITED;
  }

  /** Begins anew, with all steps. */
  public void renew() {
    left = limit;
    reserve = limit / 2;
  }

  /** How many steps were spent since {@link #renew}. */
  public long spent() {
    return limit - left;
  }

  /** How many steps were ever spent, here and {@link #beside}, and {@link #count counted}. */
  public long total() {
    return total.steps;
  }

  /** True while more than half of the steps are left, or more than {@link #stopEarly} leaves. */
  public boolean hasReserve() {
    return limit == 0 || left > reserve;
  }

  /**
   * Until {@link #renew}, work that may stop early stops after so many more steps, or earlier with
   * the second half.
   */
  public void stopEarly(long steps) {
    if (limit != 0) {
      reserve = Math.max(reserve, left - steps);
    }
  }

  /**
   * @throws EffortSpentException if less is left
   */
  public void spend(long steps) {
    if (limit == 0) {
      return;
    }
    left -= steps;
    total.steps += steps;
    if (left < 0) {
      throw exception();
    }
  }

  /**
   * Counts work that is bounded otherwise, in steps: it is in {@link #total}, and takes nothing
   * from what is left.
   */
  public void count(long steps) {
    if (limit != 0) {
      total.steps += steps;
    }
  }

  /** The exception for a computation that needs more steps than are left. */
  public EffortSpentException exception() {
    return new EffortSpentException(limit);
  }

  /** Spends the cost of a search from one second to the one that it found. */
  public void passOver(long from, long to) {
    boolean isFar = to > from + FARTHEST || to < from - FARTHEST;
    spend(1 + ((isFar ? FARTHEST : Math.abs(to - from)) >> BITS_OF_97_DAYS));
  }
}
