package io.waterclock.occurrences.core;

/**
 * How much a computation may still cost, in steps, so that no definition can hold the thread that
 * decides it.
 *
 * <p>Idea: a metered trigger spends a step for each element that it looks at and for each 97 days
 * that it passes over; whoever loops around it spends steps of its own. When nothing is left,
 * {@link #spend} throws, and the computation ends there. What may stop early without being wrong (a
 * count, which is then a lower bound; cutting a long range, which goes on later) asks {@link
 * #hasReserve} and leaves the second half for what must not stop.
 *
 * <p>Cost: a subtraction and a comparison a step. A step takes some tens of nanoseconds, so that
 * {@link #DECISION} steps take some tens of milliseconds at most.
 *
 * <p>Example: {@code FREQ=SECONDLY;INTERVAL=7;BYSECOND=1,2,3} spends about two steps an occurrence.
 * To count its 1.9 million occurrences of a year stops after 100,000 and says "at least".
 *
 * <p>Not thread-safe: a meter, and each trigger that it meters, belongs to one thread.
 */
public final class Effort {
  /** What a new definition may need for its next occurrence: one that needs more is refused. */
  public static final long SEARCH = 25_000;

  /** What one decision about one schedule may need. */
  public static final long DECISION = 400_000;

  /** Never ends, and counts nothing. Safe for use by several threads. */
  static final Effort UNLIMITED = new Effort(0);

  private static final int BITS_OF_97_DAYS = 23;

  /** A search that finds nothing gives up after as many seconds. */
  private static final long FARTHEST = 2 * Civil.SECONDS_PER_CYCLE;

  private final long limit;
  private long left;
  private long spentBefore;

  private Effort(long limit) {
    this.limit = limit;
    this.left = limit;
  }

  /** A meter with so many steps, from 1. */
  public static Effort of(long steps) {
    return new Effort(steps);
  }

  /** A meter that never ends and counts nothing. Safe for use by several threads. */
  public static Effort unlimited() {
    return UNLIMITED;
  }

  /** Begins anew, with all steps. */
  public void renew() {
    spentBefore += limit - left;
    left = limit;
  }

  /** How many steps were spent since {@link #renew}. */
  public long spent() {
    return limit - left;
  }

  /** How many steps were ever spent. */
  public long total() {
    return spentBefore + spent();
  }

  /** True while more than half of the steps are left. */
  public boolean hasReserve() {
    return limit == 0 || left > limit / 2;
  }

  /**
   * @throws EffortSpentException if less is left
   */
  public void spend(long steps) {
    if (limit == 0) {
      return;
    }
    left -= steps;
    if (left < 0) {
      throw exception();
    }
  }

  /** That more is needed than there is. */
  public EffortSpentException exception() {
    return new EffortSpentException(limit);
  }

  /** Spends what it costs to search from one second to another one, which was found. */
  public void passOver(long from, long to) {
    boolean isFar = to > from + FARTHEST || to < from - FARTHEST;
    spend(1 + ((isFar ? FARTHEST : Math.abs(to - from)) >> BITS_OF_97_DAYS));
  }
}
