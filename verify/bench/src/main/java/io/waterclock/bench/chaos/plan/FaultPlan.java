package io.waterclock.bench.chaos.plan;

import io.waterclock.bench.run.BadOptionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The faults of a run, in the order of their times, drawn from a seed: which comes when, to what,
 * for how long. Pure. A plan is printed as lines and can be read again.
 */
public record FaultPlan(List<PlannedFault> faults) {
  private static final int LEAST_GAP_MS = 2_500;
  private static final int MOST_GAP_MS = 6_500;

  /** How long a target is left alone after a fault, so that a fault meets something that runs. */
  private static final Duration REST = Duration.ofMillis(1_500);

  private static final int VARIANTS = 1_000;

  /**
   * What can be hit.
   *
   * @param kinds those that may come
   */
  public record Ground(int schedulers, int brokers, Set<FaultKind> kinds) {
    private boolean has(FaultKind kind) {
      return kinds.contains(kind) && (brokers == 3 || !kind.needsThreeBrokers());
    }

    private int targets(FaultKind kind) {
      return switch (kind.target()) {
        case SCHEDULER -> schedulers;
        case BROKER -> kind.needsThreeBrokers() ? 1 : brokers;
        case TOPICS, REGISTRY, DATABASE, WORKER -> 1;
      };
    }
  }

  /** The same seed, number and ground give the same plan. */
  public static FaultPlan draw(long seed, int number, Ground ground) {
    SplittableRandom random = new SplittableRandom(seed);
    List<FaultKind> urn = new ArrayList<>();
    for (FaultKind kind : FaultKind.values()) {
      for (int n = 0; ground.has(kind) && n < kind.weight(); n++) {
        urn.add(kind);
      }
    }
    if (urn.isEmpty()) {
      throw new BadOptionException("no kind of fault is left");
    }
    List<PlannedFault> faults = new ArrayList<>();
    Map<String, Duration> busy = new HashMap<>();
    Duration at = Duration.ZERO;
    while (faults.size() < number) {
      at = at.plusMillis(random.nextInt(LEAST_GAP_MS, MOST_GAP_MS));
      FaultKind kind = urn.get(random.nextInt(urn.size()));
      int target = 1 + random.nextInt(ground.targets(kind));
      Duration duration =
          Duration.ofMillis(random.nextLong(kind.least().toMillis(), kind.most().toMillis() + 1));
      int variant = random.nextInt(VARIANTS);
      PlannedFault fault = new PlannedFault(faults.size() + 1, at, kind, target, duration, variant);
      if (busy.getOrDefault(fault.victim(), Duration.ZERO).compareTo(at) > 0) {
        continue; // a quiet moment is a part of the plan, too
      }
      busy.put(fault.victim(), at.plus(duration).plus(REST));
      faults.add(fault);
    }
    return new FaultPlan(faults);
  }

  /**
   * The same faults, as far apart as the mean says.
   *
   * @param seconds more than 0
   */
  public FaultPlan apart(double seconds) {
    double factor = seconds * 2_000 / (LEAST_GAP_MS + MOST_GAP_MS);
    return new FaultPlan(
        faults.stream()
            .map(
                fault ->
                    new PlannedFault(
                        fault.number(),
                        Duration.ofMillis(Math.round(fault.at().toMillis() * factor)),
                        fault.kind(),
                        fault.target(),
                        fault.duration(),
                        fault.variant()))
            .toList());
  }

  /** Reads what {@link #toString} wrote. Lines that begin with # are left out. */
  public static FaultPlan parse(List<String> lines) {
    return new FaultPlan(
        lines.stream()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .map(PlannedFault::parse)
            .toList());
  }

  public boolean setsClocks() {
    return faults.stream().anyMatch(fault -> fault.kind().setsClock());
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    faults.forEach(fault -> text.append(fault).append('\n'));
    return text.toString();
  }
}
