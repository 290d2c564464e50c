package io.waterclock.topology.scheduler.model;

import java.time.Instant;
import java.util.Optional;

/**
 * What earlier lives of an id, each from a first definition to its removal, have decided. The next
 * life begins after it, whatever the timestamp of its definition: the clocks of producers differ.
 *
 * @param endedThrough inclusive: no occurrence up to this instant is a later life's, but for a Once
 *     that is given an instant in the past
 * @param lastOccurrence the latest occurrence that they have decided; empty when they have decided
 *     none, or it is not known
 */
public record EarlierLives(Instant endedThrough, Optional<Instant> lastOccurrence) {

  /** A life of which nothing is known but when it ended. */
  public static EarlierLives endedAt(Instant through) {
    return new EarlierLives(through, Optional.empty());
  }

  /** What both have decided. */
  public EarlierLives and(EarlierLives other) {
    Optional<Instant> last =
        lastOccurrence.isPresent()
            ? other
                .lastOccurrence
                .map(at -> later(at, lastOccurrence.get()))
                .or(() -> lastOccurrence)
            : other.lastOccurrence;
    return new EarlierLives(later(endedThrough, other.endedThrough), last);
  }

  /**
   * What a life has decided that ends now.
   *
   * @param through inclusive: where its current revision ends
   */
  public static EarlierLives of(Timetables tables, ScheduleState state, Instant through) {
    Instant decided = state.older().isEmpty() ? later(through, state.decidedThrough()) : through;
    return new EarlierLives(
        through,
        tables.of(state.id(), state.current()).lastOwned(decided).or(state.current()::ownedBefore));
  }

  private static Instant later(Instant a, Instant b) {
    return a.isBefore(b) ? b : a;
  }
}
