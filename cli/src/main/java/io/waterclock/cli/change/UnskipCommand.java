package io.waterclock.cli.change;

import io.waterclock.cli.cluster.CommandOptions;
import io.waterclock.cli.terminal.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Cancels a skip. */
@Command(
    name = "unskip",
    description = "Cancel the skip of an occurrence, and print the scheduler's answer.")
public final class UnskipCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin CommandOptions command = new CommandOptions();

  @Parameters(
      index = "1",
      paramLabel = "OCCURRENCE",
      description = "The instant of the occurrence; 'get' shows the skipped ones.")
  String occurrence = "";

  public UnskipCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    return command.send(
        "unskip",
        CommandOptions.action().put("occurrence", occurrence),
        "no longer skips " + occurrence,
        terminal);
  }
}
