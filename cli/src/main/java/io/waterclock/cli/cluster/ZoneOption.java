package io.waterclock.cli.cluster;

import io.waterclock.occurrences.Zones;
import java.time.ZoneId;
import picocli.CommandLine.Option;

/** The scheduler's {@code default.timezone}, which the topics do not tell. */
public final class ZoneOption {
  @Option(
      names = "--default-timezone",
      paramLabel = "ZONE",
      defaultValue = "UTC",
      description =
          "What the scheduler is configured with, for schedules without a zone"
              + " (default: ${DEFAULT-VALUE}).")
  String name = "UTC";

  public ZoneId zone() {
    return Zones.parse(name);
  }
}
