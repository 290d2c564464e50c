package io.waterclock.cli.change;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.cluster.ChangeNote;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "pause",
    description = {
      "Pause a schedule until it is resumed, and print the scheduler's answer.",
      "",
      "Occurrences in the pause are missed. A new definition does not end the pause."
    })
public final class PauseCommand extends SteeringCommand {
  @Mixin ChangeNote note = new ChangeNote();

  @Override
  public Integer call() {
    ObjectNode action = action();
    note.addTo(action);
    return send("pause", action, "paused");
  }
}
