package io.waterclock.sim.worker;

import io.waterclock.sim.broker.Place;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What workers have done with fires before they committed an offset beyond them, for the judge. */
public final class HandledLog {
  private final Map<Place, Partition> partitions = new HashMap<>();

  private static final class Partition {
    private final Set<Long> handled = new HashSet<>();
    private final Set<Long> passed = new HashSet<>();
    private long committed;
  }

  private Partition of(Place place) {
    return partitions.computeIfAbsent(place, any -> new Partition());
  }

  /** A run has ended, for good, or a rule leaves the fire out. */
  void handled(Place place, long offset) {
    of(place).handled.add(offset);
  }

  /** Retention has removed the records of this range, the end exclusive, before they were read. */
  void expired(Place place, long from, long to) {
    for (long offset = from; offset < to; offset++) {
      handled(place, offset);
    }
  }

  /** A worker has committed an offset. */
  void committed(Place place, long offset) {
    Partition its = of(place);
    for (; its.committed < offset; its.committed++) {
      if (!its.handled.contains(its.committed)) {
        its.passed.add(its.committed);
      }
    }
  }

  /** Whether an offset beyond a fire was committed before the fire was handled. */
  public boolean isPassed(Place place, long offset) {
    return of(place).passed.contains(offset);
  }
}
