package io.waterclock.schemas.text;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The zone that people mean by a name that is none: an abbreviation, a name of Windows or of Rails
 * (the file {@code zone-names.tsv}), or a slip.
 */
final class ZoneNames {
  private static final String FILE = "zone-names.tsv";
  private static final List<String> ZONES =
      ZoneId.getAvailableZoneIds().stream()
          .filter(id -> !id.startsWith("SystemV/") && !id.startsWith("waterclock-"))
          .toList();
  private static final Map<String, String> KNOWN = read();

  private ZoneNames() {}

  /**
   * The zone for a name that {@link ZoneId} does not know: one that {@link ZoneId} knows. Empty if
   * the name is near none.
   */
  static Optional<String> meant(String name) {
    String upper = name.strip().toUpperCase(Locale.ROOT).replaceAll("\\s+", " ");
    return known(upper)
        .or(() -> known(upper.replace(" DAYLIGHT TIME", " STANDARD TIME")))
        .or(() -> known(upper.replaceFirst(" TIME$", " STANDARD TIME")))
        .or(() -> asZone(upper))
        .or(() -> Nearest.slipOf(name, ZONES));
  }

  private static Optional<String> known(String upper) {
    return Optional.ofNullable(KNOWN.get(upper));
  }

  private static Optional<String> asZone(String upper) {
    try {
      return Optional.of(ZoneId.of(upper).getId());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static Map<String, String> read() {
    InputStream file = Objects.requireNonNull(ZoneNames.class.getResourceAsStream(FILE), FILE);
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
      return lines
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split("\t"))
          .filter(row -> ZONES.contains(row[1])) // older data lacks some
          .collect(Collectors.toMap(row -> row[0].toUpperCase(Locale.ROOT), row -> row[1]));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
