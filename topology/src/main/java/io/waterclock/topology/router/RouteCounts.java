package io.waterclock.topology.router;

import java.util.EnumMap;
import java.util.Map;

/** The counts of a task of the router since its assignment, committed or not. Not thread-safe. */
public final class RouteCounts {
  private final Map<Undelivered, Long> undelivered = new EnumMap<>(Undelivered.class);
  private long routed;

  void routed() {
    routed++;
  }

  void undelivered(Undelivered reason) {
    undelivered.merge(reason, 1L, Long::sum);
  }

  public long routedFires() {
    return routed;
  }

  public long undeliveredFires(Undelivered reason) {
    return undelivered.getOrDefault(reason, 0L);
  }
}
