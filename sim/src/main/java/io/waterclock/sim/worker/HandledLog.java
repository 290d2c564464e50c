package io.waterclock.sim.worker;

import io.waterclock.sim.broker.Place;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** What workers have done with fires, and what they have committed, for the judge. */
public final class HandledLog {
  private final Map<Place, Map<Long, Long>> handled = new HashMap<>();
  private final Map<Place, TreeMap<Long, Long>> committed = new HashMap<>();
  private long entries;

  /** A run has ended, for good, or a rule leaves the fire out. */
  void handled(Place place, long offset) {
    handled.computeIfAbsent(place, any -> new HashMap<>()).putIfAbsent(offset, entries++);
  }

  /** Retention has removed the records of this range, the end exclusive, before they were read. */
  void expired(Place place, long from, long to) {
    for (long offset = from; offset < to; offset++) {
      handled(place, offset);
    }
  }

  /** A worker has committed an offset. */
  void committed(Place place, long offset) {
    committed.computeIfAbsent(place, any -> new TreeMap<>()).putIfAbsent(offset, entries++);
  }

  /** Whether no offset beyond a fire was committed before the fire was handled. */
  public boolean isHandledFirst(Place place, long offset) {
    long first =
        committed.getOrDefault(place, new TreeMap<>()).tailMap(offset, false).values().stream()
            .mapToLong(Long::longValue)
            .min()
            .orElse(Long.MAX_VALUE);
    long handledAt = handled.getOrDefault(place, Map.of()).getOrDefault(offset, Long.MAX_VALUE - 1);
    return handledAt < first;
  }
}
