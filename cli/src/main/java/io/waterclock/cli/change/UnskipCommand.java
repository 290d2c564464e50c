package io.waterclock.cli.change;

import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "unskip",
    description = "Cancel the skip of an occurrence, and print the scheduler's answer.")
public final class UnskipCommand extends SteeringCommand {

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "OCCURRENCE",
      description = "The instant of the occurrence; 'get' shows the skipped ones.")
  Optional<String> occurrence = Optional.empty();

  @Override
  public Integer call() {
    String instant = occurrence(occurrence);
    return send("unskip", action().put("occurrence", instant), "no longer skips " + instant);
  }
}
