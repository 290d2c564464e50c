package io.waterclock.occurrences;

import io.waterclock.occurrences.core.ClosestName;
import io.waterclock.occurrences.core.InvalidTriggerException;
import io.waterclock.occurrences.core.Quote;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Optional;

/** Reads names of time zones. Safe for use by several threads. */
public final class Zones {

  private static final String EXAMPLE = "Europe/Berlin";

  private Zones() {}

  /**
   * The zone with an IANA name ("Europe/Berlin") or an offset ("+02:00", "UTC"), with or without
   * space around it.
   *
   * @throws InvalidTriggerException naming the nearest valid zone, if there is none with that name
   */
  public static ZoneId parse(String name) {
    try {
      return ZoneId.of(name.strip());
    } catch (DateTimeException e) {
      Optional<String> nearest =
          ClosestName.to(
              name,
              ZoneId.getAvailableZoneIds().stream()
                  .filter(zone -> !zone.startsWith("SystemV/") && !zone.startsWith("waterclock-"))
                  .toList());
      String hint = nearest.map(zone -> "; did you mean " + zone + "?").orElse("");
      throw new InvalidTriggerException(
          "timezone",
          "\"" + Quote.of(name) + "\" is not a time zone" + hint,
          nearest.orElse(EXAMPLE));
    }
  }
}
