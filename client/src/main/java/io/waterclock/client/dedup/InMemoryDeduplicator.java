package io.waterclock.client.dedup;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Remembers the ids of the latest fires in memory: enough against what is read again within one run
 * of a process, no help after it. It is a set of ids and no high-water mark, since a backfill fills
 * holes: what is older than the newest fire may well be new.
 *
 * <p>An id takes some 120 bytes. Thread-safe.
 */
public final class InMemoryDeduplicator {
  private final int capacity;
  private final Set<String> ids = new LinkedHashSet<>();

  /**
   * @param capacity how many ids are kept; the oldest make room for new ones. At least 1
   */
  public InMemoryDeduplicator(int capacity) {
    if (capacity < 1) {
      throw new IllegalArgumentException("capacity " + capacity + " must be at least 1");
    }
    this.capacity = capacity;
  }

  /**
   * Claims a fire. O(1).
   *
   * @return true for whoever comes first; false while the id is remembered
   */
  public synchronized boolean claim(String fireId) {
    if (!ids.add(fireId)) {
      return false;
    }
    if (ids.size() > capacity) {
      ids.remove(ids.iterator().next());
    }
    return true;
  }

  /** Forgets a fire, since it was not done after all. */
  public synchronized void release(String fireId) {
    ids.remove(fireId);
  }
}
