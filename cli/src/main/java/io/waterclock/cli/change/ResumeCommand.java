package io.waterclock.cli.change;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.cluster.ChangeNote;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "resume",
    description = {
      "Resume a paused or disabled schedule, and print the scheduler's answer.",
      "",
      "It continues with the next occurrence; the occurrences in the pause are missed."
    })
public final class ResumeCommand extends SteeringCommand {
  @Option(
      names = "--on-resume",
      paramLabel = "POLICY",
      description =
          "What happens to the occurrences in the pause: nothing (the default), or fire-once for the"
              + " last of them.")
  Optional<String> onResume = Optional.empty();

  @Mixin ChangeNote note = new ChangeNote();

  @Override
  public Integer call() {
    ObjectNode action = action();
    onResume.ifPresent(policy -> action.put("on_resume", policy.toLowerCase(Locale.ROOT)));
    note.addTo(action);
    return send("resume", action, "resumed");
  }
}
