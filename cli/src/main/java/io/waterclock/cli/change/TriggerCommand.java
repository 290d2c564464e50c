package io.waterclock.cli.change;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.waterclock.cli.cluster.CommandOptions;
import io.waterclock.cli.terminal.Terminal;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Fires a schedule now. */
@Command(
    name = "trigger",
    description = {
      "Fire a schedule once now, in addition to its occurrences, and print the scheduler's answer.",
      "",
      "This also works while the schedule is paused or complete."
    })
public final class TriggerCommand implements Callable<Integer> {
  private static final String FROM_FILE = "@";

  private final Terminal terminal;

  @Option(
      names = "--payload",
      paramLabel = "TEXT|@FILE",
      description =
          "The payload of this fire, byte for byte, instead of the schedule's; the media type stays"
              + " that of the schedule. @- reads standard input.")
  Optional<String> payload = Optional.empty();

  @Mixin CommandOptions command = new CommandOptions();

  public TriggerCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    ObjectNode action = CommandOptions.action();
    payload.ifPresent(given -> action.put("payload_base64", bytes(given)));
    return command.send("trigger", action, "triggered by command " + command.commandId, terminal);
  }

  private byte[] bytes(String given) {
    return given.startsWith(FROM_FILE)
        ? terminal.read(given.substring(FROM_FILE.length()))
        : given.getBytes(UTF_8);
  }
}
