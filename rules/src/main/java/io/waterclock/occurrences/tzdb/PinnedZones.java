package io.waterclock.occurrences.tzdb;

/** The zones of {@link ZoneDataPin} under their own names, for {@code java.time}. Thread-safe. */
public final class PinnedZones extends ZoneData.NamedZones {
  public PinnedZones() {
    super("", ZoneDataPin.pinned());
  }
}
