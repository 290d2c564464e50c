package io.waterclock.sim.plant;

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
    all.put(
        "a task stops ticking",
        () ->
            new Tampering() {
              @Override
              public boolean ticks(int partition, long atMs) {
                return ++count < 3_000;
              }
            });
    all.put(
        "a task sleeps too long",
        () ->
            new Tampering() {
              @Override
              public Duration idle(Duration time) {
                return time.multipliedBy(2);
              }
            });
    all.put(
        "effort is unbounded: a task never rests",
        () ->
            new Tampering() {
              @Override
              public Duration idle(Duration time) {
                return Duration.ZERO;
              }
            });
    return all;
  }
}
