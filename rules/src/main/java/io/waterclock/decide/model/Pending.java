package io.waterclock.decide.model;

import io.waterclock.definition.Occurrence;
import io.waterclock.schemas.text.Instants;
import java.time.Instant;
import java.util.Optional;

/**
 * What a schedule waits for: an occurrence, a deadline, or both.
 *
 * @param next the first undecided occurrence; while it waits for the end of a run, it is due then
 * @param heldSince when an occurrence was due that waits for the end of a run; empty if none does
 * @param deadline when an expectation is to be decided
 */
public record Pending(
    Optional<Occurrence> next, Optional<Instant> heldSince, Optional<Instant> deadline) {

  /** It waits for an occurrence. */
  public static Pending of(Occurrence next, Optional<Instant> heldSince) {
    return new Pending(Optional.of(next), heldSince, Optional.empty());
  }

  /** It waits for a deadline alone. */
  public static Pending of(Instant deadline) {
    return new Pending(Optional.empty(), Optional.empty(), Optional.of(deadline));
  }

  /** The same with a deadline. */
  public Pending until(Instant at) {
    return new Pending(next, heldSince, Optional.of(at));
  }

  /** The same as if it waited for no run. */
  public Pending notHeld() {
    return new Pending(next, Optional.empty(), deadline);
  }

  /** When the next decision is due. */
  public Instant due() {
    return next.map(Occurrence::due)
        .map(due -> deadline.map(at -> Instants.earlier(due, at)).orElse(due))
        .or(() -> deadline)
        .orElseThrow();
  }
}
