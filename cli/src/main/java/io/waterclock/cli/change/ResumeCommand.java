package io.waterclock.cli.change;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.cluster.ChangeNote;
import io.waterclock.cli.cluster.CommandOptions;
import io.waterclock.cli.terminal.Terminal;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Ends a pause. */
@Command(
    name = "resume",
    description = {
      "Resume a paused or disabled schedule, and print the scheduler's answer.",
      "",
      "It continues with the next occurrence; the occurrences in the pause are missed."
    })
public final class ResumeCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Option(
      names = "--on-resume",
      paramLabel = "POLICY",
      description =
          "What happens to the occurrences in the pause: nothing (the default), or fire-once for the"
              + " last of them.")
  Optional<String> onResume = Optional.empty();

  @Mixin CommandOptions command = new CommandOptions();
  @Mixin ChangeNote note = new ChangeNote();

  public ResumeCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    ObjectNode action = CommandOptions.action();
    onResume.ifPresent(policy -> action.put("on_resume", policy.toLowerCase(Locale.ROOT)));
    note.addTo(action);
    return command.send("resume", action, "resumed", terminal);
  }
}
