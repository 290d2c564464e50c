package io.waterclock.cli.change;

import io.waterclock.cli.cluster.CommandOptions;
import io.waterclock.cli.terminal.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Takes a skip back. */
@Command(
    name = "unskip",
    description =
        "Let an occurrence fire after all that 'skip' leaves out, and print the scheduler's answer.")
public final class UnskipCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin CommandOptions command = new CommandOptions();

  @Parameters(
      index = "1",
      paramLabel = "OCCURRENCE",
      description = "Its instant; 'get' shows what is skipped.")
  String occurrence = "";

  /** A command that writes to {@code terminal}. */
  public UnskipCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    return command.send(
        "unskip",
        CommandOptions.action().put("occurrence", occurrence),
        "does not leave out " + occurrence + " any more",
        terminal);
  }
}
