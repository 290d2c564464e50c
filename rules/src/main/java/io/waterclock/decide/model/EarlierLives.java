package io.waterclock.decide.model;

import io.waterclock.schemas.text.Instants;
import java.time.Instant;
import java.util.Optional;

/**
 * The progress of earlier lives of an id, each from a first definition to its removal. The next
 * life begins after it, even if its definition has an earlier timestamp, since producers' clocks
 * differ.
 *
 * @param endedThrough inclusive: a later life has no occurrence up to this instant, except a Once
 *     with an instant in the past
 * @param lastOccurrence the latest decided occurrence; empty when there is none, or it is unknown
 */
public record EarlierLives(Instant endedThrough, Optional<Instant> lastOccurrence) {

  /** A life of which only the end is known. */
  public static EarlierLives endedAt(Instant through) {
    return new EarlierLives(through, Optional.empty());
  }

  /** The progress of both. */
  public EarlierLives and(EarlierLives other) {
    Optional<Instant> last =
        lastOccurrence.isPresent()
            ? other
                .lastOccurrence
                .map(at -> Instants.later(at, lastOccurrence.get()))
                .or(() -> lastOccurrence)
            : other.lastOccurrence;
    return new EarlierLives(Instants.later(endedThrough, other.endedThrough), last);
  }
}
