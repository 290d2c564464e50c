package io.waterclock.client.dedup;

import io.waterclock.client.rules.Turns;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Remembers the ids of the latest fires in memory. It detects fires that one process reads twice,
 * but not after a restart. It keeps a set of ids and not a high-water mark, because a backfill
 * fills holes: a fire that is older than the newest one may be new.
 *
 * <p>An id takes about 120 bytes. Thread-safe.
 */
public final class InMemoryDeduplicator implements Turns.Claims {
  private final int capacity;
  private final Set<String> ids = new LinkedHashSet<>();

  /**
   * @param capacity how many ids to keep, at least 1; a new id replaces the oldest one
   */
  public InMemoryDeduplicator(int capacity) {
    if (capacity < 1) {
      throw new IllegalArgumentException("capacity " + capacity + " must be at least 1");
    }
    this.capacity = capacity;
  }

  /** O(1); false while it remembers the id. */
  @Override
  public synchronized boolean claim(String fireId) {
    if (!ids.add(fireId)) {
      return false;
    }
    if (ids.size() > capacity) {
      ids.remove(ids.iterator().next());
    }
    return true;
  }

  @Override
  public synchronized void release(String fireId) {
    ids.remove(fireId);
  }
}
