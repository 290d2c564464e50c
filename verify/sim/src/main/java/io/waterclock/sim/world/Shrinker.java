package io.waterclock.sim.world;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Leaves out events of a failing trace, in chunks of half the size each time (ddmin). */
public final class Shrinker {
  private Shrinker() {}

  /**
   * Returns a shorter trace that still fails.
   *
   * @param fails plays a trace; true if it fails
   * @param most how often a trace may be played
   */
  public static Trace shrink(Trace failing, Predicate<Trace> fails, int most) {
    Trace best = failing;
    int left = most;
    for (int chunk = Math.max(1, best.events().size() / 2); chunk > 0; chunk /= 2) {
      for (int from = 0; from < best.events().size() && left > 0; ) {
        List<Event> fewer = new ArrayList<>(best.events());
        fewer.subList(from, Math.min(from + chunk, fewer.size())).clear();
        Trace candidate = best.with(fewer);
        left--;
        if (fails.test(candidate)) {
          best = candidate;
        } else {
          from += chunk;
        }
      }
    }
    return best;
  }
}
