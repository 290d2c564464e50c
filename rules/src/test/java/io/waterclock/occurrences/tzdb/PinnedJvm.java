package io.waterclock.occurrences.tzdb;

import io.waterclock.occurrences.Cron;
import io.waterclock.occurrences.Tzdb;
import io.waterclock.occurrences.Zones;
import java.time.Instant;

/** Prints the version of the zone data, and when 09:00 in Mexico City is. */
final class PinnedJvm {
  private PinnedJvm() {}

  public static void main(String[] arguments) {
    if (arguments.length > 0) {
      ZoneDataPin.pin(arguments[0]);
    }
    Cron cron = Cron.parse("0 9 * * *", Zones.parse("America/Mexico_City"));
    System.out.println(
        Tzdb.version()
            + " "
            + cron.nextAfter(Instant.parse("2026-07-01T00:00:00Z")).orElseThrow()
            + " "
            + cron.nextAfter(Instant.parse("2030-07-01T00:00:00Z")).orElseThrow());
  }
}
