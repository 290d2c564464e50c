package io.waterclock.topology.stream;

import io.waterclock.schemas.avro.Calendar;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What this instance has read of the calendars topic since it started. Written by the thread that
 * reads the topic, looked at by the stream threads: what was seen is one immutable object, so
 * whether anything is new is one comparison of references.
 */
final class CalendarFeed {
  /** Tasks take changes over within a tick, so a longer history matters only after an outage. */
  private static final int MAX_CHANGES = 1_000;

  private static final int MAX_REFUSED = 100;

  /**
   * A good record.
   *
   * @param calendar empty for a tombstone
   */
  record Change(long offset, Instant writtenAt, Optional<Calendar> calendar) {}

  /** A record that no calendar was made of. */
  record Refused(long offset, DeadLetter letter) {}

  /**
   * Everything so far.
   *
   * @param changes by name, oldest first; the topic holds the latest of each at least
   * @param refused oldest first
   */
  record Seen(Map<String, List<Change>> changes, List<Refused> refused) {
    static final Seen NOTHING = new Seen(Map.of(), List.of());
  }

  private volatile Seen seen = Seen.NOTHING;

  Seen seen() {
    return seen;
  }

  /** For the reading thread only. */
  void changed(String name, Change change) {
    Map<String, List<Change>> changes = new HashMap<>(seen.changes());
    changes.put(name, appended(changes.getOrDefault(name, List.of()), change, MAX_CHANGES));
    seen = new Seen(Map.copyOf(changes), seen.refused());
  }

  /** For the reading thread only. */
  void refused(Refused record) {
    seen = new Seen(seen.changes(), appended(seen.refused(), record, MAX_REFUSED));
  }

  /** The newest of both. */
  private static <T> List<T> appended(List<T> list, T last, int most) {
    List<T> all = new ArrayList<>(list.subList(Math.max(0, list.size() + 1 - most), list.size()));
    all.add(last);
    return List.copyOf(all);
  }
}
