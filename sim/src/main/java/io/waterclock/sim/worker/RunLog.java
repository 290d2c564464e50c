package io.waterclock.sim.worker;

import io.waterclock.sim.broker.Place;
import java.util.HashSet;
import java.util.Set;

/** What workers have done with fires, for the judge. */
public final class RunLog {
  private final Set<Handled> handled = new HashSet<>();

  private record Handled(Place place, long offset) {}

  /** A handler has run to its end, or has failed for good, or a rule leaves the fire out. */
  void handled(Place place, long offset) {
    handled.add(new Handled(place, offset));
  }

  /** Retention has removed the records of this range, the end exclusive, before they were read. */
  void expired(Place place, long from, long to) {
    for (long offset = from; offset < to; offset++) {
      handled(place, offset);
    }
  }

  public boolean isHandled(Place place, long offset) {
    return handled.contains(new Handled(place, offset));
  }
}
