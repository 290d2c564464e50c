package io.waterclock.cli.change;

import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "skip",
    description = "Skip one future occurrence, and print the scheduler's answer.")
public final class SkipCommand extends SteeringCommand {

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "OCCURRENCE",
      description =
          "The instant of the occurrence, for example 2026-12-24T09:00:00Z; 'get' shows the next ones.")
  Optional<String> occurrence = Optional.empty();

  @Override
  public Integer call() {
    String instant = occurrence(occurrence);
    return send("skip", action().put("occurrence", instant), "skips " + instant);
  }
}
