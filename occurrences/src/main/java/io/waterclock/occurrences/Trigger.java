package io.waterclock.occurrences;

import io.waterclock.occurrences.core.Count;
import io.waterclock.occurrences.core.Effort;
import io.waterclock.occurrences.core.EffortSpentException;
import io.waterclock.occurrences.core.Horizon;
import java.time.Instant;
import java.util.Optional;

/**
 * When something occurs: a strictly increasing sequence of instants, each a whole millisecond
 * within the {@link Horizon}, asked from any point in time in either direction.
 *
 * <p>Pure: {@code nextAfter(t)} is the same for every {@code t} between two occurrences, whatever
 * was asked before. Every method accepts every {@link Instant}, {@link Instant#MIN} and {@link
 * Instant#MAX} included, and none throws. Immutable and safe for use by several threads, unless it
 * is {@link #metered}.
 */
public sealed interface Trigger permits Once, Every, Cron, RRule, Bounded {

  /** The first occurrence strictly later than {@code t}. */
  default Optional<Instant> nextAfter(Instant t) {
    return nthAfter(t, 1);
  }

  /** The last occurrence at or before {@code t}. */
  default Optional<Instant> lastAtOrBefore(Instant t) {
    return nthAtOrBefore(t, 1);
  }

  /**
   * The number of occurrences in ({@code after}, {@code through}], 0 where the range is empty.
   *
   * @param limit where a trigger that can only step stops counting; the answer is then not exact
   */
  Count count(Instant after, Instant through, long limit);

  /** The n-th occurrence strictly later than {@code t}; empty for n below 1. */
  Optional<Instant> nthAfter(Instant t, long n);

  /** The n-th occurrence going back from {@code t}, inclusive; empty for n below 1. */
  Optional<Instant> nthAtOrBefore(Instant t, long n);

  /**
   * As above, and empty where the n-th is before {@code notBefore}. Looks no further back than
   * that; and where this trigger is metered, it gives a later occurrence rather than spend the
   * second half of the effort.
   */
  default Optional<Instant> nthAtOrBefore(Instant t, long n, Instant notBefore) {
    return nthAtOrBefore(t, n).filter(at -> !at.isBefore(notBefore));
  }

  /**
   * The same trigger, whose searches spend their steps from a meter; equal to this one. Its methods
   * throw {@link EffortSpentException} when the effort is spent, and it belongs to the thread of
   * the meter. A trigger of which each search takes a bounded handful of steps spends none.
   */
  default Trigger metered(Effort effort) {
    return this;
  }

  /** This trigger from {@code start} (inclusive) to {@code end} (exclusive). */
  default Trigger within(Optional<Instant> start, Optional<Instant> end) {
    return start.isEmpty() && end.isEmpty() ? this : new Bounded(this, start, end);
  }
}
