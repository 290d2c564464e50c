package io.waterclock.cli.change;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "skip",
    description = "Skip one future occurrence, and print the scheduler's answer.")
public final class SkipCommand extends SteeringCommand {

  @Parameters(
      index = "1",
      paramLabel = "OCCURRENCE",
      description =
          "The instant of the occurrence, for example 2026-12-24T09:00:00Z; 'get' shows the next ones.")
  String occurrence = "";

  @Override
  public Integer call() {
    return send("skip", action().put("occurrence", occurrence), "skips " + occurrence);
  }
}
