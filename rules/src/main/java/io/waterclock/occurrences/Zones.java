package io.waterclock.occurrences;

import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.schemas.text.Quoted;
import java.time.DateTimeException;
import java.time.ZoneId;

/**
 * Reads names of time zones in accepted definitions. What people write is read by the readers of
 * definitions, which suggest the zone that a wrong name means. Safe for use by several threads.
 */
public final class Zones {

  private static final String EXAMPLE = "Europe/Berlin";

  private Zones() {}

  /**
   * The zone with an IANA name ("Europe/Berlin") or an offset ("+02:00", "UTC"), with or without
   * space around it.
   *
   * @throws InvalidTriggerException if there is none with that name
   */
  public static ZoneId parse(String name) {
    try {
      return ZoneId.of(name.strip());
    } catch (DateTimeException e) {
      throw new InvalidTriggerException(
          "timezone", Quoted.of(name) + " is not a time zone", EXAMPLE);
    }
  }
}
