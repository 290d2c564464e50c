package io.waterclock.cli.change;

import io.waterclock.cli.cluster.CommandOptions;
import io.waterclock.cli.terminal.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Skips one future occurrence. */
@Command(
    name = "skip",
    description = "Skip one future occurrence, and print the scheduler's answer.")
public final class SkipCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin CommandOptions command = new CommandOptions();

  @Parameters(
      index = "1",
      paramLabel = "OCCURRENCE",
      description =
          "The instant of the occurrence, for example 2026-12-24T09:00:00Z; 'get' shows the next ones.")
  String occurrence = "";

  public SkipCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    return command.send(
        "skip",
        CommandOptions.action().put("occurrence", occurrence),
        "skips " + occurrence,
        terminal);
  }
}
