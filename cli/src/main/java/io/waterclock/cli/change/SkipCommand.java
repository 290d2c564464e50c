package io.waterclock.cli.change;

import io.waterclock.cli.cluster.CommandOptions;
import io.waterclock.cli.terminal.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Leaves one occurrence out. */
@Command(
    name = "skip",
    description = "Leave out one occurrence to come, and print the scheduler's answer.")
public final class SkipCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin CommandOptions command = new CommandOptions();

  @Parameters(
      index = "1",
      paramLabel = "OCCURRENCE",
      description = "Its instant, such as 2026-12-24T09:00:00Z; 'get' shows the next ones.")
  String occurrence = "";

  /** A command that writes to {@code terminal}. */
  public SkipCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    return command.send(
        "skip",
        CommandOptions.action().put("occurrence", occurrence),
        "leaves out " + occurrence,
        terminal);
  }
}
