package io.waterclock.occurrences.tzdb;

import io.waterclock.occurrences.Tzdb;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/**
 * Pins the time-zone data of this JVM: {@code java.time} uses it instead of the JVM's own.
 *
 * <p>{@link #pin} does it from within the JVM, before anything has used a zone. From outside, two
 * system properties of the JVM do it:
 *
 * <pre>{@code
 * -Djava.time.zone.DefaultZoneRulesProvider=io.waterclock.occurrences.tzdb.PinnedZones
 * -Dwaterclock.tzdb=/etc/waterclock/tzdb-2025b.dat
 * }</pre>
 *
 * <p>The pin is a file as {@link ZoneDataFile} reads it. After commas, more files may follow, each
 * with {@code @} and the instant from which on its rules apply: {@code
 * 2025b.dat,2026a.dat@2026-12-01T00:00:00Z}. Thread-safe.
 */
public final class ZoneDataPin {
  /** The system property with the pin. */
  public static final String PROPERTY = "waterclock.tzdb";

  private static final String PROVIDER = "java.time.zone.DefaultZoneRulesProvider";

  /** By name: to load the class is to use a zone. */
  private static final String PROVIDER_CLASS = "io.waterclock.occurrences.tzdb.PinnedZones";

  private static volatile Optional<ZoneData> pinned = Optional.empty();

  private ZoneDataPin() {}

  /**
   * Pins the data of this JVM.
   *
   * @throws InvalidZoneDataException if the pin cannot be read, or this JVM has used a zone before
   */
  public static void pin(String pin) {
    ZoneData data = read(pin);
    pinned = Optional.of(data);
    System.setProperty(PROVIDER, PROVIDER_CLASS);
    if (!Tzdb.version().equals(data.version())) {
      throw new InvalidZoneDataException(
          "this JVM has used its own time-zone data "
              + Tzdb.version()
              + " already; set the system properties "
              + PROVIDER
              + " and "
              + PROPERTY
              + " when it starts");
    }
  }

  /**
   * Reads the data of a pin.
   *
   * @throws InvalidZoneDataException with the part that is wrong
   */
  public static ZoneData read(String pin) {
    String[] parts = pin.split(",", -1);
    ZoneData data = ZoneDataFile.read(Path.of(parts[0].strip()));
    Instant last = Instant.MIN;
    for (int i = 1; i < parts.length; i++) {
      int at = parts[i].lastIndexOf('@');
      Instant from = instant(parts[i].substring(at + 1).strip());
      if (at < 1 || !from.isAfter(last)) {
        throw new InvalidZoneDataException(
            "\""
                + parts[i].strip()
                + "\" must be FILE@INSTANT, with a later instant than the part before it; for"
                + " example 2026a.dat@2026-12-01T00:00:00Z");
      }
      data = data.rolledOver(ZoneDataFile.read(Path.of(parts[i].substring(0, at).strip())), from);
      last = from;
    }
    return data;
  }

  private static Instant instant(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw new InvalidZoneDataException(
          "\"" + text + "\" is not the instant of a rollover, such as 2026-12-01T00:00:00Z");
    }
  }

  /** The data that is pinned, from within or from outside. */
  static ZoneData pinned() {
    return pinned.orElseGet(() -> read(System.getProperty(PROPERTY, "")));
  }
}
