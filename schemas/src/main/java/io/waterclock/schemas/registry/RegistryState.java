package io.waterclock.schemas.registry;

import io.waterclock.schemas.SchemaSource.Lookup;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The state that the callers of a {@link SchemaRegistry} share with its requesting thread: the
 * answers so far, the wanted ids, and whether a round of requests is due or runs. As long as an id
 * is wanted, a round is due or runs. Thread-safe: its monitor guards all of it.
 */
final class RegistryState {
  private final KeptSchemas kept;
  private final WantedSchemas wanted = new WantedSchemas();
  private boolean asking;

  RegistryState(KeptSchemas kept) {
    this.kept = kept;
  }

  /**
   * Finds an answer. Without one, the id is wanted from now on.
   *
   * @param startRound called with the lock held when a round becomes due; must not wait
   */
  synchronized Optional<Lookup> findOrWant(int id, Runnable startRound) {
    Optional<Lookup> known = kept.find(id);
    if (known.isEmpty()) {
      wanted.add(id);
      start(startRound);
    }
    return known;
  }

  /**
   * The id to request next; empty if there is no other.
   *
   * @param but not these
   */
  synchronized OptionalInt next(Set<Integer> but) {
    return wanted.next(but);
  }

  /** An id without an answer goes to the end of the queue, so that it does not delay others. */
  synchronized void keep(int id, Lookup answer) {
    wanted.remove(id);
    if (!kept.keep(id, answer)) {
      wanted.add(id);
    }
  }

  /**
   * Ends a round.
   *
   * @param startRound called with the lock held when ids are still wanted; must not wait
   */
  synchronized void roundEnded(Runnable startRound) {
    asking = false;
    if (!wanted.isEmpty()) {
      start(startRound);
    }
  }

  private void start(Runnable round) {
    if (!asking) {
      asking = true;
      round.run();
    }
  }
}
