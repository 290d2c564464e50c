package io.waterclock.cli.change;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "trigger",
    description = {
      "Fire a schedule once now, in addition to its occurrences, and print the scheduler's answer.",
      "",
      "This also works while the schedule is paused or complete."
    })
public final class TriggerCommand extends SteeringCommand {
  private static final String FROM_FILE = "@";

  @Option(
      names = "--payload",
      paramLabel = "TEXT|@FILE",
      description =
          "The payload of this fire, byte for byte, instead of the schedule's; the media type stays"
              + " that of the schedule. @- reads standard input.")
  Optional<String> payload = Optional.empty();

  @Override
  public Integer call() {
    ObjectNode action = action();
    payload.ifPresent(given -> action.put("payload_base64", bytes(given)));
    return send("trigger", action, "triggered by command " + commandId);
  }

  private byte[] bytes(String given) {
    return given.startsWith(FROM_FILE)
        ? terminal().read(given.substring(FROM_FILE.length()))
        : given.getBytes(UTF_8);
  }
}
