package io.waterclock.cli.change;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "unskip",
    description = "Cancel the skip of an occurrence, and print the scheduler's answer.")
public final class UnskipCommand extends SteeringCommand {

  @Parameters(
      index = "1",
      paramLabel = "OCCURRENCE",
      description = "The instant of the occurrence; 'get' shows the skipped ones.")
  String occurrence = "";

  @Override
  public Integer call() {
    return send("unskip", action().put("occurrence", occurrence), "no longer skips " + occurrence);
  }
}
