package io.waterclock.cli.change;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.cluster.ChangeNote;
import io.waterclock.cli.cluster.CommandOptions;
import io.waterclock.cli.terminal.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Pauses a schedule. */
@Command(
    name = "pause",
    description = {
      "Pause a schedule until it is resumed, and print the scheduler's answer.",
      "",
      "Occurrences in the pause are missed. A new definition does not end the pause."
    })
public final class PauseCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin CommandOptions command = new CommandOptions();
  @Mixin ChangeNote note = new ChangeNote();

  public PauseCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    ObjectNode action = CommandOptions.action();
    note.addTo(action);
    return command.send("pause", action, "paused", terminal);
  }
}
