package io.waterclock.cli.cluster;

import io.waterclock.occurrences.Zones;
import java.time.ZoneId;
import picocli.CommandLine.Option;

/** The scheduler's {@code default.timezone}, which the topics do not contain. */
public final class ZoneOption {
  @Option(
      names = "--default-timezone",
      paramLabel = "ZONE",
      defaultValue = "UTC",
      description =
          "The scheduler's default.timezone, for schedules without a time zone (default:"
              + " ${DEFAULT-VALUE}).")
  String name = "UTC";

  public ZoneId zone() {
    return Zones.parse(name);
  }
}
