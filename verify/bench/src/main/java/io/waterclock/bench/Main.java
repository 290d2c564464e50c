package io.waterclock.bench;

import io.waterclock.bench.chaos.ChaosCommand;
import io.waterclock.bench.cron.CronBench;
import io.waterclock.bench.run.BadOptionException;
import io.waterclock.bench.run.BenchException;
import io.waterclock.bench.scenario.AttackScenario;
import io.waterclock.bench.scenario.CatchUpScenario;
import io.waterclock.bench.scenario.ConsoleScaleScenario;
import io.waterclock.bench.scenario.ConsoleScenario;
import io.waterclock.bench.scenario.HerdScenario;
import io.waterclock.bench.scenario.IdleScenario;
import io.waterclock.bench.scenario.LatenessScenario;
import io.waterclock.bench.scenario.LaterScenario;
import io.waterclock.bench.scenario.LifecycleScenario;
import io.waterclock.bench.scenario.PeersScenario;
import io.waterclock.bench.scenario.RecoveryScenario;
import io.waterclock.bench.scenario.WorkerScenario;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * {@code bench
 * all|lateness|herd|idle|recovery|catchup|peers|cron|lifecycle|worker|later|attack|chaos|console|console-scale}.
 */
@Command(
    name = "bench",
    description =
        "Measures Waterclock, each figure beside its baseline from the same run. Where there is a"
            + " broker, it, the scheduler and the consumer are processes of their own.",
    mixinStandardHelpOptions = true,
    subcommands = {
      All.class,
      LatenessScenario.class,
      HerdScenario.class,
      IdleScenario.class,
      RecoveryScenario.class,
      CatchUpScenario.class,
      PeersScenario.class,
      CronBench.class,
      LifecycleScenario.class,
      WorkerScenario.class,
      LaterScenario.class,
      AttackScenario.class,
      ChaosCommand.class,
      ConsoleScenario.class,
      ConsoleScaleScenario.class
    })
final class Main {
  private Main() {}

  public static void main(String[] args) {
    System.exit(run(List.of(args)));
  }

  /**
   * Runs a subcommand.
   *
   * @return 0, 1 when the measurement failed or is void, 2 when the arguments are wrong
   */
  static int run(List<String> arguments) {
    return new CommandLine(new Main())
        .setExecutionExceptionHandler(
            (e, command, parsed) -> {
              if (!(e instanceof BenchException)) {
                throw e;
              }
              System.err.println("bench: " + e.getMessage());
              return e instanceof BadOptionException ? 2 : 1;
            })
        .execute(arguments.toArray(String[]::new));
  }
}
