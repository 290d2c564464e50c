package io.waterclock.console.model;

import io.waterclock.definition.CalendarVersion;
import io.waterclock.definition.Calendars;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Calendar;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The calendars in force, by name. Their number and their bytes are bounded: one for which there is
 * no room is left out. A change costs a look at each name. Not thread-safe.
 */
final class CalendarTable {
  /** As many as a scheduler reads. */
  private static final int MOST_NAMES = 1_000;

  /** Of a calendar without dates, in all the maps that have it. */
  private static final int OVERHEAD = 1_000;

  /** In memory, a range of dates takes about so many times the bytes of its record. */
  private static final int IN_MEMORY = 12;

  private final long mostBytes;
  private final Map<String, Kept> byName = new HashMap<>();
  private Calendars calendars = Calendars.NONE;
  private long bytes;
  private boolean isIncomplete;

  private record Kept(CalendarVersion version, long bytes) {}

  CalendarTable(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /**
   * Takes over a record of a calendar; empty for a tombstone.
   *
   * @return whether it changes anything
   */
  boolean put(String name, Optional<Calendar> calendar) {
    Kept known = byName.get(name);
    if (calendar.equals(known == null ? Optional.empty() : known.version().calendar())) {
      return false;
    }
    remove(name);
    calendar.ifPresent(newest -> add(name, newest));
    if (known == null && !byName.containsKey(name)) {
      return false; // there is no room
    }
    calendars =
        calendars.with(
            Map.of(
                name, Optional.ofNullable(byName.get(name)).map(Kept::version).stream().toList()));
    return true;
  }

  private void remove(String name) {
    Kept known = byName.remove(name);
    bytes -= known == null ? 0 : known.bytes();
  }

  private void add(String name, Calendar calendar) {
    long record = RecordCodecs.calendar().encodeBody(calendar).length;
    long needed = OVERHEAD + name.length() + record * IN_MEMORY;
    if (byName.size() == MOST_NAMES || bytes + needed > mostBytes) {
      isIncomplete = true;
      return;
    }
    CalendarVersion version =
        new CalendarVersion(0, Instant.EPOCH, Optional.empty(), Optional.of(calendar));
    byName.put(name, new Kept(version, needed));
    bytes += needed;
  }

  boolean isIncomplete() {
    return isIncomplete;
  }

  /** As definitions read them. */
  Calendars calendars() {
    return calendars;
  }

  Set<String> names() {
    return Set.copyOf(byName.keySet());
  }

  Map<String, List<CalendarVersion>> versions() {
    Map<String, List<CalendarVersion>> all = new HashMap<>();
    byName.forEach((name, kept) -> all.put(name, List.of(kept.version())));
    return all;
  }
}
