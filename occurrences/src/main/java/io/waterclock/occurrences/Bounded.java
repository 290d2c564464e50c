package io.waterclock.occurrences;

import io.waterclock.occurrences.core.Count;
import io.waterclock.occurrences.core.Effort;
import java.time.Instant;
import java.util.Optional;

/**
 * Another trigger's occurrences from {@code start} (inclusive) to {@code end} (exclusive). Each
 * method costs as much as the same method of the other trigger.
 */
public record Bounded(Trigger trigger, Optional<Instant> start, Optional<Instant> end)
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
