package io.waterclock.bench;

import io.waterclock.bench.cron.CronBench;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code bench herd|lateness|idle|catchup|mixed|lifecycle|worker|cron}. */
@Command(
    name = "bench",
    description =
        "Measures Waterclock, each figure beside its baseline from the same run. Where there is a"
            + " broker, it, the scheduler and the consumer are processes of their own.",
    mixinStandardHelpOptions = true,
    subcommands = {
      Herd.class,
      Lateness.class,
      Idle.class,
      Replay.class,
      Mixed.class,
      Lifecycle.class,
      Worker.class,
      CronBench.class
    })
final class Main {
  private Main() {}

  public static void main(String[] args) {
    System.exit(new CommandLine(new Main()).execute(args));
  }
}
