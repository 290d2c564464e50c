package io.waterclock.topology.scheduler.admit;

import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.topology.scheduler.input.Inbound;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.header.internals.RecordHeaders;

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

  /** Beyond this, one record stands for the oldest refused ones. */
  private static final long MAX_REFUSED_BYTES = 4 << 20;

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

  /**
   * A record that is no valid calendar.
   *
   * @param records 1, or how many it stands for
   */
  public record Refused(Inbound inbound, String reason, int records) {
    /** In memory, beside the content. */
    private static final int OVERHEAD = 1_024;

    Refused(Inbound inbound, String reason) {
      this(inbound, reason, 1);
    }

    /** One without content, at the later place, which stands for both. */
    private Refused and(Refused later) {
      Inbound last = later.inbound;
      int both = records + later.records;
      return new Refused(
          new Inbound(
              Optional.empty(),
              Optional.empty(),
              new RecordHeaders(),
              last.timestamp(),
              last.topic(),
              last.partition(),
              last.offset()),
          ("at most %s refused records up to this one have no dead letter of their own, as too"
                  + " many came at once; the log of each instance has their reasons")
              .formatted(both),
          both);
    }

    private long bytes() {
      return OVERHEAD + reason.length() + inbound.size();
    }
  }

  /**
   * Everything so far.
   *
   * @param changes by name, oldest first; the topic holds the latest of each at least
   * @param refused in the order in which they were refused; the newest 4 MiB, and one for the rest
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
    List<Change> all = appended(changes.getOrDefault(name, List.of()), change);
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
    List<Refused> all = new ArrayList<>(seen.refused());
    all.add(record);
    long bytes = all.stream().mapToLong(Refused::bytes).sum();
    while (bytes > MAX_REFUSED_BYTES && all.size() > 2) {
      Refused oldest = all.get(0);
      Refused next = all.remove(1);
      Refused both = oldest.and(next);
      bytes += both.bytes() - oldest.bytes() - next.bytes();
      all.set(0, both);
    }
    seen = new Seen(seen.changes(), List.copyOf(all), seen.held());
  }

  /** The list with one more element, and without its oldest ones beyond a maximum. */
  private static List<Change> appended(List<Change> list, Change last) {
    List<Change> all =
        new ArrayList<>(list.subList(Math.max(0, list.size() + 1 - MAX_CHANGES), list.size()));
    all.add(last);
    return all;
  }
}
