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
 * What this instance has read of the calendars topic since it started. Written by one thread at a
 * time, looked at by the stream threads: what was seen is one immutable object, so whether anything
 * is new is one comparison of references.
 */
public final class CalendarFeed {
  /** Tasks take changes over within a tick, so a longer history matters only after an outage. */
  private static final int MAX_CHANGES = 1_000;

  /** The newest change of a name is kept whatever its size. */
  private static final long MAX_BYTES = 4 << 20;

  private static final int MAX_REFUSED = 100;

  /** A good record. Keeps a calendar as bytes, which are a twentieth of what its dates take. */
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
      this.body = calendar.map(said -> RecordCodecs.calendar().encodeBody(said));
    }

    public long offset() {
      return offset;
    }

    public Instant writtenAt() {
      return writtenAt;
    }

    /** Empty for a tombstone; made anew at each call. */
    public Optional<Calendar> calendar() {
      return body.map(bytes -> RecordCodecs.calendar().decodeBody(bytes, 0, bytes.length));
    }

    private long bytes() {
      return body.map(bytes -> (long) bytes.length).orElse(0L);
    }
  }

  /** A record that no calendar was made of. */
  public record Refused(long offset, DeadLetter letter) {}

  /**
   * Everything so far.
   *
   * @param changes by name, oldest first; the topic holds the latest of each at least
   * @param refused oldest first
   * @param parked the names of those of which there are records that cannot be read yet
   */
  public record Seen(Map<String, List<Change>> changes, List<Refused> refused, Set<String> parked) {
    public static final Seen NOTHING = new Seen(Map.of(), List.of(), Set.of());
  }

  private volatile Seen seen = Seen.NOTHING;
  private volatile Runnable retry = () -> {};

  public Seen seen() {
    return seen;
  }

  /** Names who tries again to read what could not be read, on any thread. */
  void onRetry(Runnable reader) {
    retry = reader;
  }

  /** Tries again to read what could not be read; free of cost when there is none. */
  public void retry() {
    if (!seen.parked().isEmpty()) {
      retry.run();
    }
  }

  /** For who reads only. */
  void parked(Set<String> names) {
    seen = new Seen(seen.changes(), seen.refused(), Set.copyOf(names));
  }

  /** For who reads only. */
  public void changed(String name, Change change) {
    Map<String, List<Change>> changes = new HashMap<>(seen.changes());
    List<Change> all = appended(changes.getOrDefault(name, List.of()), change, MAX_CHANGES);
    long bytes = all.stream().mapToLong(Change::bytes).sum();
    int first = 0;
    while (bytes > MAX_BYTES && first < all.size() - 1) {
      bytes -= all.get(first++).bytes();
    }
    changes.put(name, List.copyOf(all.subList(first, all.size())));
    seen = new Seen(Map.copyOf(changes), seen.refused(), seen.parked());
  }

  /** For who reads only. */
  void refused(Refused record) {
    seen = new Seen(seen.changes(), appended(seen.refused(), record, MAX_REFUSED), seen.parked());
  }

  /** The newest of both. */
  private static <T> List<T> appended(List<T> list, T last, int most) {
    List<T> all = new ArrayList<>(list.subList(Math.max(0, list.size() + 1 - most), list.size()));
    all.add(last);
    return List.copyOf(all);
  }
}
