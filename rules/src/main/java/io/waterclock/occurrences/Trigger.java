package io.waterclock.occurrences;

import io.waterclock.occurrences.core.Count;
import io.waterclock.occurrences.core.Effort;
import io.waterclock.occurrences.core.EffortSpentException;
import io.waterclock.occurrences.core.Horizon;
import java.time.Instant;
import java.util.Optional;

/**
 * When something occurs: a strictly increasing sequence of instants, each a whole millisecond
 * within the {@link Horizon}. Searches start at any instant, in either direction.
 *
 * <p>Pure: {@code nextAfter(t)} is the same for every {@code t} between two occurrences and does
 * not depend on earlier calls. Every method accepts every {@link Instant}, {@link Instant#MIN} and
 * {@link Instant#MAX} included, and none throws. Immutable and thread-safe, unless it is {@link
 * #metered}.
 */
public sealed interface Trigger permits Once, Every, Cron, RRule, Trigger.Bounded {

  /** The first occurrence strictly later than {@code t}. */
  default Optional<Instant> nextAfter(Instant t) {
    return nthAfter(t, 1);
  }

  default Optional<Instant> lastAtOrBefore(Instant t) {
    return nthAtOrBefore(t, 1);
  }

  /**
   * The number of occurrences in ({@code after}, {@code through}], 0 if the range is empty.
   *
   * @param limit the number at which a trigger that can only step stops counting; the answer is
   *     then not exact
   */
  Count count(Instant after, Instant through, long limit);

  /** The n-th occurrence strictly later than {@code t}; empty for n below 1. */
  Optional<Instant> nthAfter(Instant t, long n);

  /** The n-th occurrence going back from {@code t}, inclusive; empty for n below 1. */
  Optional<Instant> nthAtOrBefore(Instant t, long n);

  /**
   * The n-th occurrence going back from {@code t}, inclusive; empty for n below 1, or if the n-th
   * is before {@code notBefore}. The search stops at {@code notBefore}. A metered trigger returns a
   * later occurrence rather than spend the second half of the effort.
   */
  default Optional<Instant> nthAtOrBefore(Instant t, long n, Instant notBefore) {
    return nthAtOrBefore(t, n).filter(at -> !at.isBefore(notBefore));
  }

  /**
   * An equal trigger whose searches spend steps of a meter. Its methods throw {@link
   * EffortSpentException} when the effort is spent. Only the meter's thread may use it. A trigger
   * whose searches take a small, bounded number of steps spends none.
   */
  default Trigger metered(Effort effort) {
    return this;
  }

  /** This trigger from {@code start} (inclusive) to {@code end} (exclusive). */
  default Trigger within(Optional<Instant> start, Optional<Instant> end) {
    return start.isEmpty() && end.isEmpty() ? this : new Bounded(this, start, end);
  }

  /**
   * Another trigger's occurrences from {@code start} (inclusive) to {@code end} (exclusive). Each
   * method costs as much as the same method of the other trigger.
   */
  record Bounded(Trigger trigger, Optional<Instant> start, Optional<Instant> end)
      implements Trigger {

    @Override
    public Count count(Instant after, Instant through, long limit) {
      return trigger.count(atLeastBeforeStart(after), atMostBeforeEnd(through), limit);
    }

    @Override
    public Optional<Instant> nthAfter(Instant t, long n) {
      if (!isBeforeEnd(t)) {
        return Optional.empty();
      }
      return trigger.nthAfter(atLeastBeforeStart(t), n).filter(this::isBeforeEnd);
    }

    @Override
    public Optional<Instant> nthAtOrBefore(Instant t, long n) {
      if (!isFromStart(t)) {
        return Optional.empty();
      }
      return trigger.nthAtOrBefore(atMostBeforeEnd(t), n).filter(this::isFromStart);
    }

    @Override
    public Optional<Instant> nthAtOrBefore(Instant t, long n, Instant notBefore) {
      Instant first = start.isPresent() && start.get().isAfter(notBefore) ? start.get() : notBefore;
      return trigger.nthAtOrBefore(atMostBeforeEnd(t), n, first);
    }

    @Override
    public Trigger metered(Effort effort) {
      return new Bounded(trigger.metered(effort), start, end);
    }

    private boolean isFromStart(Instant t) {
      return start.isEmpty() || !t.isBefore(start.get());
    }

    private boolean isBeforeEnd(Instant t) {
      return end.isEmpty() || t.isBefore(end.get());
    }

    private Instant atLeastBeforeStart(Instant t) {
      return start.isPresent() && start.get().isAfter(t) ? justBefore(start.get()) : t;
    }

    private Instant atMostBeforeEnd(Instant t) {
      return end.isPresent() && !end.get().isAfter(t) ? justBefore(end.get()) : t;
    }

    /** Nothing occurs at {@link Instant#MIN}, so it can represent the instant before itself. */
    private static Instant justBefore(Instant t) {
      return t.equals(Instant.MIN) ? t : t.minusNanos(1);
    }
  }
}
