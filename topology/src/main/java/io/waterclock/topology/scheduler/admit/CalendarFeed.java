package io.waterclock.topology.scheduler.admit;

import io.waterclock.schemas.CalendarName;
import io.waterclock.schemas.RecordCodecs;
import io.waterclock.schemas.avro.Calendar;
import io.waterclock.topology.scheduler.input.Inbound;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * The calendars topic as this instance has read it since its start. One thread at a time writes,
 * the stream threads read. The content is one immutable object: a stream thread compares two
 * references to see if anything is new, and one for each name to see which.
 *
 * <p>Bounds: 1,000 calendars and 32 MiB of their newest versions, beyond which a record is refused;
 * 1,000 deleted names, 1,000 changes and 4 MiB of each name, and 32 MiB of older changes of all
 * names, beyond which the oldest ones are dropped. A change costs a look at each name and at each
 * kept change; an equal one, a comparison of bytes.
 */
public final class CalendarFeed {
  /** Inclusive: of calendars that exist, and of deleted ones. */
  static final int MAX_NAMES = 1_000;

  /** Inclusive: of the newest changes of all names, and of all others. */
  static final long MAX_ALL_BYTES = 32 << 20;

  /** Tasks adopt changes within a tick, so a longer history matters only after an outage. */
  private static final int MAX_CHANGES = 1_000;

  /** For each name. The newest change of a name is kept even if it is larger. */
  private static final long MAX_BYTES = 4 << 20;

  /** Beyond this, one record stands for the oldest refused ones. */
  private static final long MAX_REFUSED_BYTES = 4 << 20;

  private static final int MAX_SPOILT = 10_000;

  /** In memory, beside the content. */
  private static final int CHANGE_OVERHEAD = 128;

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

    /** In Avro, not to be changed; empty for a tombstone. */
    public Optional<byte[]> body() {
      return body;
    }

    private boolean isDeletion() {
      return body.isEmpty();
    }

    private boolean isEqual(Change other) {
      return body.isEmpty()
          ? other.isDeletion()
          : other.body.filter(bytes -> Arrays.equals(bytes, body.get())).isPresent();
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
      return OVERHEAD + reason.length() + inbound.sizeInMemory();
    }
  }

  /**
   * Everything so far.
   *
   * @param changes by name, oldest first; the topic holds the latest of each at least
   * @param refused in the order in which they were refused; the newest 4 MiB, and one for the rest
   * @param held the names of calendars with records whose schema is not available yet
   * @param spoilt the names of calendars with a refused record, which may have replaced a good one
   *     in the topic; at most 10,000
   */
  public record Seen(
      Map<String, List<Change>> changes,
      List<Refused> refused,
      Set<String> held,
      Set<String> spoilt) {
    public static final Seen NOTHING = new Seen(Map.of(), List.of(), Set.of(), Set.of());

    /** False if no record of this calendar was read: the topic has lost its tombstone. */
    public boolean mayHave(String name) {
      return changes.containsKey(name)
          || held.contains(name)
          || spoilt.contains(name)
          || spoilt.size() >= MAX_SPOILT;
    }
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
    if (names.equals(seen.held())) {
      return;
    }
    seen = new Seen(seen.changes(), seen.refused(), Set.copyOf(names), seen.spoilt());
  }

  /**
   * For the reader of the topic only. A change that is equal to the one before it is dropped.
   *
   * @return why there is no room for the change; empty if it is taken
   */
  public Optional<String> changed(String name, Change change) {
    List<Change> before = seen.changes().getOrDefault(name, List.of());
    if (!before.isEmpty() && newest(before).isEqual(change)) {
      return Optional.empty();
    }
    Map<String, List<Change>> changes = new HashMap<>(seen.changes());
    changes.put(name, appended(before, change));
    Optional<String> full = change.isDeletion() ? Optional.empty() : full(changes);
    if (full.isEmpty()) {
      drop(changes);
      seen = new Seen(Map.copyOf(changes), seen.refused(), seen.held(), seen.spoilt());
    }
    return full;
  }

  private static Optional<String> full(Map<String, List<Change>> changes) {
    if (deleted(changes).size() + MAX_NAMES < changes.size()) {
      return Optional.of(
          "there are %s calendars, and no more are read: delete one first".formatted(MAX_NAMES));
    }
    long bytes = changes.values().stream().mapToLong(all -> newest(all).bytes()).sum();
    return bytes <= MAX_ALL_BYTES
        ? Optional.empty()
        : Optional.of(
            ("all calendars together would have %s bytes, of at most %s: delete one, or shorten"
                    + " their dates to ranges")
                .formatted(bytes, MAX_ALL_BYTES));
  }

  /** Drops what is beyond the bounds of all names. */
  private void drop(Map<String, List<Change>> changes) {
    List<Map.Entry<String, List<Change>>> deleted = deleted(changes);
    if (deleted.size() > MAX_NAMES) {
      changes
          .entrySet()
          .remove(
              Collections.min(
                  deleted, Comparator.comparing(entry -> newest(entry.getValue()).writtenAt())));
    }
    long bytes = changes.values().stream().mapToLong(CalendarFeed::olderBytes).sum();
    while (bytes > MAX_ALL_BYTES) {
      Map.Entry<String, List<Change>> longest =
          Collections.max(
              changes.entrySet(), Comparator.comparing(entry -> olderBytes(entry.getValue())));
      List<Change> all = longest.getValue();
      longest.setValue(List.copyOf(all.subList((all.size() + 1) / 2, all.size())));
      bytes += olderBytes(longest.getValue()) - olderBytes(all);
    }
  }

  private static List<Map.Entry<String, List<Change>>> deleted(Map<String, List<Change>> changes) {
    return changes.entrySet().stream()
        .filter(entry -> newest(entry.getValue()).isDeletion())
        .toList();
  }

  private static Change newest(List<Change> changes) {
    return changes.get(changes.size() - 1);
  }

  private static long olderBytes(List<Change> changes) {
    long bytes = 0;
    for (Change older : changes.subList(0, changes.size() - 1)) {
      bytes += CHANGE_OVERHEAD + older.bytes();
    }
    return bytes;
  }

  /**
   * For the reader of the topic only.
   *
   * @param name of the calendar; empty if the key is no name
   */
  void refused(Optional<CalendarName> name, Refused record) {
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
    seen = new Seen(seen.changes(), List.copyOf(all), seen.held(), spoilt(name));
  }

  private Set<String> spoilt(Optional<CalendarName> name) {
    Set<String> spoilt = seen.spoilt();
    if (name.isEmpty() || spoilt.size() >= MAX_SPOILT || spoilt.contains(name.get().value())) {
      return spoilt;
    }
    Set<String> more = new HashSet<>(spoilt);
    more.add(name.get().value());
    return Set.copyOf(more);
  }

  /** The list with one more element, and without its oldest ones beyond the bounds of a name. */
  private static List<Change> appended(List<Change> list, Change last) {
    List<Change> all = new ArrayList<>(list);
    all.add(last);
    long bytes = all.stream().mapToLong(Change::bytes).sum();
    int first = 0;
    while (all.size() - first > MAX_CHANGES || (bytes > MAX_BYTES && first < all.size() - 1)) {
      bytes -= all.get(first++).bytes();
    }
    return List.copyOf(all.subList(first, all.size()));
  }
}
