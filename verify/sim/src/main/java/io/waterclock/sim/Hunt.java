package io.waterclock.sim;

import io.waterclock.sim.node.Fault;
import io.waterclock.sim.plant.PlantedFaults;
import io.waterclock.sim.world.Trace;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The search for a planted fault.
 *
 * @param found what was found first that is not found without the fault; empty if nothing was
 * @param seconds of this thread's processor time
 */
public record Hunt(Optional<String> found, int traces, double seconds) {

  /**
   * Plays traces from a seed on until the fault is found; with routers and workers if it is theirs.
   *
   * @param name of a planted fault
   * @param most processor time
   */
  public static Hunt of(String name, long seed, Duration most) {
    Supplier<Fault> fault = Optional.ofNullable(PlantedFaults.all().get(name)).orElseThrow();
    boolean isOfConsumers = PlantedFaults.ofConsumers().contains(name);
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long began = threads.getCurrentThreadCpuTime();
    int traces = 0;
    while (threads.getCurrentThreadCpuTime() - began < most.toNanos()) {
      long its = seed + traces++;
      Trace trace =
          PlantedFaults.ofLimits().contains(name)
              ? Trace.ofLimits(its)
              : isOfConsumers ? Trace.ofAll(its) : Trace.ofSchedulers(its);
      SimulationRun run = SimulationRun.of(trace, fault, note -> {});
      if (!run.isGood() && SimulationRun.of(trace).isGood()) {
        return new Hunt(
            Optional.of(run.findings().get(0)),
            traces,
            (threads.getCurrentThreadCpuTime() - began) / 1e9);
      }
    }
    return new Hunt(Optional.empty(), traces, most.toSeconds());
  }
}
