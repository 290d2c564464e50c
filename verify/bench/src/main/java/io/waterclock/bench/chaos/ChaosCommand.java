package io.waterclock.bench.chaos;

import io.waterclock.bench.chaos.plan.FaultKind;
import io.waterclock.bench.chaos.plan.FaultPlan;
import io.waterclock.bench.run.BadOptionException;
import io.waterclock.bench.run.Options;
import io.waterclock.judge.Sabotage;
import io.waterclock.judge.later.LaterSabotage;
import io.waterclock.judge.limits.LimitSabotage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench chaos}. */
@Command(
    name = "chaos",
    description = {
      "Breaks brokers, schedulers and their connections, a schema registry, a worker and its database"
          + " while schedules fire and change, and proves that nothing was lost, doubled or early.",
      "",
      "An account that shares no code with the scheduler decides from the topics; the command audit"
          + " must agree with it. Exit code 1 if anything is wrong. The seed determines the plan"
          + " and the load; what meets what also depends on the machine."
    },
    mixinStandardHelpOptions = true)
public final class ChaosCommand implements Callable<Integer> {
  @Option(names = "--faults", description = "How many faults; default ${DEFAULT-VALUE}.")
  private int faults = 100;

  @Option(names = "--seed", description = "Of the plan and the load; default a fresh one.")
  private long seed = System.nanoTime() & 0xffff_ffffL;

  @Option(names = "--brokers", description = "1 or 3; default ${DEFAULT-VALUE}.")
  private int brokers = 1;

  @Option(
      names = "--transactions",
      paramLabel = "VERSION",
      description =
          "The brokers' transaction.version, 1 or 2; default ${DEFAULT-VALUE}. Clients of version 1"
              + " send requests of their own before they write, which may fail, too.")
  private int transactions = 2;

  @Option(names = "--partitions", description = "Of every topic; default ${DEFAULT-VALUE}.")
  private int partitions = 6;

  @Option(names = "--only", split = ",", description = "Kinds of faults: ${COMPLETION-CANDIDATES}.")
  private Set<FaultKind> only = EnumSet.noneOf(FaultKind.class);

  @Option(
      names = "--apart",
      paramLabel = "SECONDS",
      description =
          "How far apart faults begin, on average; default 4.5, with three brokers 11, which two"
              + " cores need.")
  private Optional<Double> apart = Optional.empty();

  @Option(names = "--plan", paramLabel = "FILE", description = "The faults, as a run printed them.")
  private Optional<Path> planFile = Optional.empty();

  @Option(
      names = "--previous",
      paramLabel = "DIR",
      description = "Jars of an earlier version, which the schedulers run until UPGRADE hits them.")
  private Optional<Path> previous = Optional.empty();

  @Option(
      names = "--sabotage",
      description =
          "Plants a fault between the topics and the account, which must find it:"
              + " ${COMPLETION-CANDIDATES}.")
  private Optional<Sabotage> sabotage = Optional.empty();

  @Option(
      names = "--sabotage-limits",
      paramLabel = "SABOTAGE",
      description = "The same for what waits for limits: ${COMPLETION-CANDIDATES}.")
  private Optional<LimitSabotage> limitSabotage = Optional.empty();

  @Option(
      names = "--sabotage-later",
      paramLabel = "SABOTAGE",
      description = "The same for records that are delivered later: ${COMPLETION-CANDIDATES}.")
  private Optional<LaterSabotage> laterSabotage = Optional.empty();

  @Mixin private Options.DataPlace place = new Options.DataPlace();

  @Override
  public Integer call() {
    if (brokers != 1 && brokers != 3) {
      throw new BadOptionException("--brokers " + brokers + ": wants 1 or 3");
    }
    if (transactions != 1 && transactions != 2) {
      throw new BadOptionException("--transactions " + transactions + ": wants 1 or 2");
    }
    Options.atLeast(0, "--faults", faults);
    Options.atLeast(1, "--partitions", partitions);
    if (apart.filter(seconds -> !(seconds > 0)).isPresent()) {
      throw new BadOptionException("--apart " + apart.orElseThrow() + ": wants more than 0");
    }
    previous
        .filter(dir -> !Files.isDirectory(dir))
        .ifPresent(
            dir -> {
              throw new BadOptionException("--previous " + dir + ": there is no such folder");
            });
    FaultPlan plan = planFile.map(ChaosCommand::read).orElseGet(this::draw);
    System.out.println(
        "# seed %d, brokers %d, transactions %d; the plan:".formatted(seed, brokers, transactions));
    System.out.print(plan);
    ChaosRun run =
        new ChaosRun(
            plan,
            new ChaosRequest(
                seed,
                brokers,
                partitions,
                transactions,
                previous,
                sabotage,
                limitSabotage,
                laterSabotage));
    ChaosReport report = run.run(place.dir());
    report.print(System.out);
    return report.isGood() ? 0 : 1;
  }

  private static FaultPlan read(Path file) {
    try {
      return FaultPlan.parse(Files.readAllLines(file));
    } catch (IOException e) {
      throw new BadOptionException("--plan " + file + " cannot be read: " + e);
    }
  }

  private FaultPlan draw() {
    Set<FaultKind> kinds = only.isEmpty() ? EnumSet.allOf(FaultKind.class) : EnumSet.copyOf(only);
    if (previous.isEmpty()) {
      kinds.remove(FaultKind.UPGRADE);
    }
    if (previous.isPresent() || (only.isEmpty() && seed % 2 == 0)) {
      // an account that need not allow for wrong clocks sees more, so half of the runs have none
      kinds.removeIf(FaultKind::setsClock);
    }
    return FaultPlan.draw(seed, faults, new FaultPlan.Ground(ChaosRun.SCHEDULERS, brokers, kinds))
        .apart(apart.orElse(brokers == 1 ? 4.5 : 11));
  }
}
