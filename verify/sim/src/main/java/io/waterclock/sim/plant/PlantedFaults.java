package io.waterclock.sim.plant;

import io.waterclock.sim.node.Fault;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** The faults by their names. Each supplier makes the fault of one world. */
public final class PlantedFaults {
  private PlantedFaults() {}

  /** The names of those that only routers and workers show. */
  public static Set<String> ofConsumers() {
    return ConsumerFaults.all().keySet();
  }

  /** The names of those that only limiters show. */
  public static Set<String> ofLimits() {
    return Limited.all().keySet();
  }

  /** All of them, in a fixed order. */
  public static Map<String, Supplier<Fault>> all() {
    Map<String, Supplier<Fault>> all = new LinkedHashMap<>();
    all.putAll(SchedulerFaults.all());
    all.putAll(ConsumerFaults.all());
    all.putAll(Limited.all());
    return all;
  }
}
