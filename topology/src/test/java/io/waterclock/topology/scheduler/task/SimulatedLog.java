package io.waterclock.topology.scheduler.task;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.api.Record;

/** A partition as a broker keeps it: in the order of appending, with transactions, compacted. */
final class SimulatedLog {
  private enum State {
    OPEN,
    COMMITTED,
    ABORTED
  }

  /** A record in its place. */
  static final class Entry {
    final long offset;
    final byte[] key;
    final Optional<byte[]> value;
    final Headers headers;
    final long timestampMs;
    private State state;

    private Entry(
        long offset, byte[] key, Optional<byte[]> value, Headers headers, long ms, State state) {
      this.offset = offset;
      this.key = key;
      this.value = value;
      this.headers = headers;
      this.timestampMs = ms;
      this.state = state;
    }

    void end(boolean commit) {
      state = commit ? State.COMMITTED : State.ABORTED;
    }

    String keyText() {
      return new String(key, StandardCharsets.US_ASCII);
    }

    @Override
    public String toString() {
      String text = value.map(bytes -> new String(bytes, StandardCharsets.ISO_8859_1)).orElse("-");
      return "%d %s %s %d %s %s".formatted(offset, keyText(), text, timestampMs, state, headers);
    }

    Record<byte[], byte[]> record() {
      return new Record<>(key, value.orElse(null), timestampMs, headers);
    }
  }

  private List<Entry> entries = new ArrayList<>();
  private Set<Long> oldTombstones = new HashSet<>();
  private long end;

  /**
   * @param inTransaction true for an entry that counts only after its commit
   */
  Entry append(
      byte[] key,
      Optional<byte[]> value,
      Headers headers,
      long timestampMs,
      boolean inTransaction) {
    State state = inTransaction ? State.OPEN : State.COMMITTED;
    Entry entry = new Entry(end++, key, value, headers, timestampMs, state);
    entries.add(entry);
    return entry;
  }

  /** The next that a read_committed consumer is given; none beyond an open transaction. */
  Optional<Entry> next(long position) {
    for (Entry entry : entries) {
      if (entry.offset >= position && entry.state != State.ABORTED) {
        return entry.state == State.OPEN ? Optional.empty() : Optional.of(entry);
      }
    }
    return Optional.empty();
  }

  /** Exclusive: where a read_committed consumer finds the end. */
  long stableEnd() {
    return entries.stream()
        .filter(entry -> entry.state == State.OPEN)
        .map(entry -> entry.offset)
        .findFirst()
        .orElse(end);
  }

  /** All that was committed and is still there, in its order. */
  List<Entry> committed() {
    return entries.stream().filter(entry -> entry.state == State.COMMITTED).toList();
  }

  /** Loses all, as after an election of a leader that had nothing. */
  void lose() {
    entries = new ArrayList<>();
    oldTombstones = new HashSet<>();
    end = 0;
  }

  /** The last write of a key, which may be a tombstone. */
  Optional<Entry> last(String key) {
    return Optional.ofNullable(latest().get(key));
  }

  /** The last write of each key. */
  Map<String, Entry> latest() {
    Map<String, Entry> latest = new HashMap<>();
    committed().forEach(entry -> latest.put(entry.keyText(), entry));
    return latest;
  }

  /**
   * Keeps the last write of each key, below an offset, and of tombstones those that it meets for
   * the first time.
   */
  void compact(long before) {
    long through = Math.min(before, stableEnd());
    Map<String, Long> last = new HashMap<>();
    for (Entry entry : entries) {
      if (entry.offset < through && entry.state == State.COMMITTED) {
        last.put(entry.keyText(), entry.offset);
      }
    }
    List<Entry> kept = new ArrayList<>();
    Set<Long> tombstones = new HashSet<>();
    for (Entry entry : entries) {
      boolean isCleaned = entry.offset < through;
      boolean isTombstone = isCleaned && entry.value.isEmpty();
      if (!isCleaned
          || (entry.state == State.COMMITTED
              && last.getOrDefault(entry.keyText(), -1L) == entry.offset
              && !(isTombstone && oldTombstones.contains(entry.offset)))) {
        kept.add(entry);
        if (isTombstone) {
          tombstones.add(entry.offset);
        }
      }
    }
    entries = kept;
    oldTombstones = tombstones;
  }

  /** The same for logs that hold the same. */
  @Override
  public String toString() {
    return entries + " " + oldTombstones;
  }
}
