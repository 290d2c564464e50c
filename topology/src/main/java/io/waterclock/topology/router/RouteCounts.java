package io.waterclock.topology.router;

import java.util.EnumMap;
import java.util.Map;

/** What a task of the router has done since its assignment, committed or not. Not thread-safe. */
public final class RouteCounts {
  private final Map<Undelivered, Long> undelivered = new EnumMap<>(Undelivered.class);
  private long routed;

  void routed() {
    routed++;
  }

  void undelivered(Undelivered reason) {
    undelivered.merge(reason, 1L, Long::sum);
  }

  /** How many fires were given to their targets. */
  public long routedFires() {
    return routed;
  }

  /** How many fires went to the dead-letter topic for a reason. */
  public long undeliveredFires(Undelivered reason) {
    return undelivered.getOrDefault(reason, 0L);
  }
}
