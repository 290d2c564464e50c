package io.waterclock.cli.cluster;

import io.waterclock.schemas.text.Instants;
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

  /**
   * @throws io.waterclock.schemas.text.InvalidValueException if no zone has that name
   */
  public ZoneId zone() {
    return Instants.zone(name);
  }
}
