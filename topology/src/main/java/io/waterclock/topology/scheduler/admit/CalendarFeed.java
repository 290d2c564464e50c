package io.waterclock.topology.scheduler.admit;

import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.topology.scheduler.emit.DeadLetter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The calendars topic as this instance has read it since its start. One thread at a time writes,
 * the stream threads read. The content is one immutable object: a stream thread compares two
 * references to see if anything is new.
 */
public final class CalendarFeed {
  /** Tasks adopt changes within a tick, so a longer history matters only after an outage. */
  private static final int MAX_CHANGES = 1_000;

  /** For each name. The newest change of a name is kept even if it is larger. */
  private static final long MAX_BYTES = 4 << 20;

  private static final int MAX_REFUSED = 100;

  /**
   * A good record. Keeps the calendar as bytes: they need a twentieth of the memory of its dates.
   */
  public static final class Change {
    private final long offset;
    private final Instant writtenAt;
    private final Optional<byte[]> body;

    /**
     * @param calendar empty for a tombstone
     */
    public Change(long offset, Instant writtenAt, Optional<Calendar> calendar) {
      this.offset = offset;
      this.writtenAt = writtenAt;
      this.body = calendar.map(given -> RecordCodecs.calendar().encodeBody(given));
    }

    public long offset() {
      return offset;
    }

    public Instant writtenAt() {
      return writtenAt;
    }

    /** Empty for a tombstone; decoded at each call. */
    public Optional<Calendar> calendar() {
      return body.map(bytes -> RecordCodecs.calendar().decodeBody(bytes, 0, bytes.length));
    }

    private long bytes() {
      return body.map(bytes -> (long) bytes.length).orElse(0L);
    }
  }

  /** A record that is no valid calendar. */
  public record Refused(long offset, DeadLetter letter) {}

  /**
   * Everything so far.
   *
   * @param changes by name, oldest first; the topic holds the latest of each at least
   * @param refused oldest first
   * @param held the names of calendars with records whose schema is not available yet
   */
  public record Seen(Map<String, List<Change>> changes, List<Refused> refused, Set<String> held) {
    public static final Seen NOTHING = new Seen(Map.of(), List.of(), Set.of());
  }

  private volatile Seen seen = Seen.NOTHING;
  private volatile Runnable retry = () -> {};

  public Seen seen() {
    return seen;
  }

  /** Registers the reader that tries held records again; any thread may call it. */
  void onRetry(Runnable reader) {
    retry = reader;
  }

  /** Tries held records again; free of cost when there are none. */
  public void retry() {
    if (!seen.held().isEmpty()) {
      retry.run();
    }
  }

  /** For the reader of the topic only. */
  void held(Set<String> names) {
    seen = new Seen(seen.changes(), seen.refused(), Set.copyOf(names));
  }

  /** For the reader of the topic only. */
  public void changed(String name, Change change) {
    Map<String, List<Change>> changes = new HashMap<>(seen.changes());
    List<Change> all = appended(changes.getOrDefault(name, List.of()), change, MAX_CHANGES);
    long bytes = all.stream().mapToLong(Change::bytes).sum();
    int first = 0;
    while (bytes > MAX_BYTES && first < all.size() - 1) {
      bytes -= all.get(first++).bytes();
    }
    changes.put(name, List.copyOf(all.subList(first, all.size())));
    seen = new Seen(Map.copyOf(changes), seen.refused(), seen.held());
  }

  /** For the reader of the topic only. */
  void refused(Refused record) {
    seen = new Seen(seen.changes(), appended(seen.refused(), record, MAX_REFUSED), seen.held());
  }

  /** The list with one more element, and without its oldest ones beyond a maximum. */
  private static <T> List<T> appended(List<T> list, T last, int most) {
    List<T> all = new ArrayList<>(list.subList(Math.max(0, list.size() + 1 - most), list.size()));
    all.add(last);
    return List.copyOf(all);
  }
}
