package io.waterclock.decide.model;

import io.waterclock.definition.Occurrence;
import java.time.Instant;
import java.util.Optional;

/**
 * What a schedule waits for.
 *
 * @param next the first undecided occurrence; while it waits for the end of a run, it is due then
 * @param heldSince when an occurrence was due that waits for the end of a run; empty if none does
 */
public record Pending(Occurrence next, Optional<Instant> heldSince) {

  /** When the next decision is due. */
  public Instant due() {
    return next.due();
  }
}
