package io.waterclock.sim.plant;

import static io.waterclock.sim.plant.Tampering.crossing;

import io.waterclock.sim.node.Edge;
import io.waterclock.sim.node.Fault;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Effort is bounded, and no task rests too long. */
final class Bounded {
  private Bounded() {}

  static Map<String, Supplier<Fault>> all() {
    Map<String, Supplier<Fault>> all = new LinkedHashMap<>();
    all.put("a task stops ticking", crossing(Edge.TICK, (ticks, count) -> count < 3_000));
    all.put("a task sleeps too long", crossing(Edge.IDLE, (time, count) -> time.multipliedBy(2)));
    all.put(
        "effort is unbounded: a task never rests",
        crossing(Edge.IDLE, (time, count) -> Duration.ZERO));
    return all;
  }
}
