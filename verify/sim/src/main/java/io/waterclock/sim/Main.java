package io.waterclock.sim;

import io.waterclock.sim.node.Fault;
import io.waterclock.sim.plant.PlantedFaults;
import io.waterclock.sim.world.Event;
import io.waterclock.sim.world.Shrinker;
import io.waterclock.sim.world.Trace;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Plays random traces until enough years are simulated.
 *
 * <p>The whole system in one thread: the real processors of schedulers and routers, and the rules
 * of workers, on a model of the brokers and of the stream threads of Kafka Streams, with a seeded
 * clock and order.
 *
 * <p>The parts, from the bottom up:
 *
 * <ul>
 *   <li>{@code broker} models the brokers. {@code BrokerModelTest} compares it with Kafka.
 *   <li>{@code node} models a process with the threads of a scheduler and of a router. One call
 *       does the next part of a thread's loop: poll, process, tick, send offsets, end the
 *       transaction, note the commit. A kill drops the memory and the dirty state, a stop leaves a
 *       process that continues later as a zombie, and an older state directory can be put back. A
 *       task restores its stores from its changelogs.
 *   <li>{@code worker} models a process that runs fires, and reports them.
 *   <li>{@code judge} reads what the partitions have ever held, cleaned or not, for the judge and
 *       for the product's own audit, which must find the same.
 *   <li>{@code world} draws a trace from a seed, plays it, and shrinks a trace that fails. Each
 *       event has a seed of its own, so events can be left out. Between the events the world
 *       chooses which process acts next; when none has anything to do, time jumps.
 * </ul>
 *
 * <p>A {@code Fault} of {@code node} changes what crosses an edge of a scheduler. The tests plant
 * faults with it: the product has no hook for them.
 */
@Command(
    name = "verify/sim/run",
    mixinStandardHelpOptions = true,
    description = "Simulates the whole system; exit code 1 and a short trace if anything is wrong.")
public final class Main implements Callable<Integer> {
  private static final int SHRINKS = 400;
  private static final Duration PROGRESS = Duration.ofSeconds(30);

  @Option(names = "--years", description = "schedule-years to simulate (default: 100)")
  private double years = 100;

  @Option(names = "--minutes", description = "ends after this time at the latest (default: 60)")
  private double minutes = 60;

  @Option(names = "--seed", description = "of the first trace (default: a fresh one)")
  private long seed = new SplittableRandom().nextLong(1_000_000_000L) * 1_000;

  @Option(names = "--one", description = "plays only the trace of the seed, and prints it")
  private boolean one;

  @Option(names = "--faults", description = "plants each fault, and says how soon it is found")
  private boolean plants;

  @Option(
      names = "--schedulers-only",
      description = "leaves out routers and workers, as all traces did that were drawn before them")
  private boolean schedulersOnly;

  @Spec private CommandSpec spec = CommandSpec.create();

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new Main()).execute(arguments));
  }

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    out.println("seed " + seed);
    if (one) {
      SimulationRun run = SimulationRun.of(trace(seed), Fault::none, out::println);
      run.findings().forEach(out::println);
      return run.isGood() ? 0 : 1;
    }
    return plants ? plant(out) : search(out);
  }

  private Trace trace(long its) {
    return schedulersOnly ? Trace.ofSchedulers(its) : Trace.of(its);
  }

  private int plant(PrintWriter out) {
    int missed = 0;
    for (String name : PlantedFaults.all().keySet()) {
      Hunt hunt = Hunt.of(name, seed, Duration.ofSeconds(60));
      missed += hunt.found().isEmpty() ? 1 : 0;
      out.printf(
          "%s | %s | %d traces, %.1f s | %s%n",
          name,
          hunt.found().isPresent() ? "found" : "NOT FOUND",
          hunt.traces(),
          hunt.seconds(),
          hunt.found().orElse(""));
      out.flush();
    }
    return missed == 0 ? 0 : 1;
  }

  private int search(PrintWriter out) {
    Instant began = Instant.now();
    Instant nextProgress = began.plus(PROGRESS);
    Map<Event.Kind, Long> events = new EnumMap<>(Event.Kind.class);
    double simulated = 0;
    long fires = 0;
    long traces = 0;
    boolean hasFailed = false;
    while (!hasFailed
        && simulated < years
        && Duration.between(began, Instant.now()).toMillis() < minutes * 60_000) {
      Trace trace = trace(seed + traces);
      SimulationRun run = SimulationRun.of(trace);
      traces++;
      simulated += run.scheduleYears();
      fires += run.fires();
      trace.events().forEach(event -> events.merge(event.kind(), 1L, Long::sum));
      if (!run.isGood()) {
        hasFailed = true;
        out.println("trace " + trace.seed() + " fails: " + run.findings().get(0));
        out.flush();
        shrink(trace, out);
      }
      if (Instant.now().isAfter(nextProgress)) {
        nextProgress = Instant.now().plus(PROGRESS);
        report(out, traces, simulated, fires, began);
      }
    }
    report(out, traces, simulated, fires, began);
    out.println("events: " + events);
    out.flush();
    return hasFailed ? 1 : 0;
  }

  private static void report(
      PrintWriter out, long traces, double simulated, long fires, Instant began) {
    double hours = Duration.between(began, Instant.now()).toMillis() / 3_600_000.0;
    out.printf(
        "%d traces, %.0f schedule-years, %.0f an hour, %d fires%n",
        traces, simulated, simulated / hours, fires);
    out.flush();
  }

  private void shrink(Trace failing, PrintWriter out) {
    Trace small = Shrinker.shrink(failing, trace -> !SimulationRun.of(trace).isGood(), SHRINKS);
    out.println("shrunk from " + failing.events().size() + " events to " + small.events().size());
    small.events().forEach(out::println);
    SimulationRun run = SimulationRun.of(small, Fault::none, out::println);
    run.findings().forEach(out::println);
    out.println(
        "replay: verify/sim/run --one --seed "
            + failing.seed()
            + (schedulersOnly ? " --schedulers-only" : ""));
  }
}
