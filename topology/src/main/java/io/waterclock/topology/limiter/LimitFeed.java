package io.waterclock.topology.limiter;

import io.waterclock.limits.GroupLimit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The limits as this instance has read them. Thread-safe. */
public final class LimitFeed {
  /**
   * Inclusive: more groups are refused, so that what stands in a topic does not fill the memory.
   */
  static final int MOST = 10_000;

  private final Map<String, GroupLimit> limits = new ConcurrentHashMap<>();

  /** The limit of a group, or {@link GroupLimit#NONE} until it has one. */
  public GroupLimit of(String group) {
    return limits.getOrDefault(group, GroupLimit.NONE);
  }

  /** Puts a limit in force; false if there are too many. */
  boolean put(String group, GroupLimit limit) {
    if (limits.size() >= MOST && !limits.containsKey(group)) {
      return false;
    }
    limits.put(group, limit);
    return true;
  }

  void remove(String group) {
    limits.remove(group);
  }
}
