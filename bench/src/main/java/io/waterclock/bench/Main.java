package io.waterclock.bench;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code bench herd|lateness|idle}. */
@Command(
    name = "bench",
    description =
        "Measures Waterclock. Broker, scheduler and consumer are processes of their own; each figure"
            + " is printed with its baseline from the same run.",
    mixinStandardHelpOptions = true,
    subcommands = {Herd.class, Lateness.class, Idle.class})
final class Main {
  private Main() {}

  public static void main(String[] args) {
    System.exit(new CommandLine(new Main()).execute(args));
  }
}
