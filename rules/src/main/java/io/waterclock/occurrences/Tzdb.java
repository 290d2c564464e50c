package io.waterclock.occurrences;

import java.time.zone.ZoneRulesProvider;

/** The time-zone database of this JVM. */
public final class Tzdb {

  private Tzdb() {}

  /** Its version, as IANA names it: "2025a". */
  public static String version() {
    return ZoneRulesProvider.getVersions("UTC").lastKey();
  }
}
