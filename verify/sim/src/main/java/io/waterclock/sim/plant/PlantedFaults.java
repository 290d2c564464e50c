package io.waterclock.sim.plant;

import io.waterclock.sim.node.Fault;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The faults by their names: one class has those that break one promise. Each supplier makes the
 * fault of one world.
 */
public final class PlantedFaults {
  private PlantedFaults() {}

  /** The names of those that only routers and workers show. */
  public static Set<String> ofConsumers() {
    return Stream.of(Consumed.all(), Alerted.all())
        .flatMap(all -> all.keySet().stream())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The names of those that only limiters show. */
  public static Set<String> ofLimits() {
    return Limited.all().keySet();
  }

  /** All of them, in a fixed order. */
  public static Map<String, Supplier<Fault>> all() {
    Map<String, Supplier<Fault>> all = new LinkedHashMap<>();
    List.of(
            Accounted.all(),
            NeverEarly.all(),
            FutureOnly.all(),
            MomentOfWriting.all(),
            Gated.all(),
            Restored.all(),
            ExactlyOnce.all(),
            Bounded.all(),
            Consumed.all(),
            Alerted.all(),
            Limited.all())
        .forEach(all::putAll);
    return all;
  }
}
