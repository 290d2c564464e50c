package io.waterclock.occurrences;

import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Reads names of time zones. Safe for use by several threads. */
public final class Zones {

  private static final int LONGEST_NAME = 64;
  private static final String EXAMPLE = "Europe/Berlin";

  private Zones() {}

  /**
   * The zone with an IANA name ("Europe/Berlin") or an offset ("+02:00", "UTC").
   *
   * @throws InvalidTriggerException naming the nearest valid zone, if there is none with that name
   */
  public static ZoneId parse(String name) {
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      Optional<String> nearest = nearest(name);
      String hint = nearest.map(zone -> "; did you mean " + zone + "?").orElse("");
      throw new InvalidTriggerException(
          "timezone",
          "\"" + Quote.of(name) + "\" is not a time zone" + hint,
          nearest.orElse(EXAMPLE));
    }
  }

  private static Optional<String> nearest(String name) {
    if (name.isBlank() || name.length() > LONGEST_NAME) {
      return Optional.empty();
    }
    String wanted = name.trim().toLowerCase(Locale.ROOT).replace(' ', '_');
    return ZoneId.getAvailableZoneIds().stream()
        .filter(zone -> !zone.startsWith("SystemV/"))
        .min(
            Comparator.comparingInt(
                    (String zone) -> distance(wanted, zone.toLowerCase(Locale.ROOT)))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** Levenshtein: the number of insertions, deletions and replacements between two names. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
