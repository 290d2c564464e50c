package io.waterclock.console.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The schedules by id, in order, and by number, which the log of fires uses. A number is free again
 * when its schedule is gone and none of its fires is kept.
 *
 * <p>Memory is bounded: from the first schedule on for which there is no room, the table takes no
 * new ones until it is emptied, so that what it shows of a schedule is whole. Not thread-safe.
 */
final class ScheduleTable {
  /** Texts are shared up to this many; after that each takes its own memory. */
  private static final int MOST_SHARED = 20_000;

  private static final int LONGEST_SHARED = 200;

  private final NavigableMap<String, ScheduleEntry> byId = new TreeMap<>();
  private final List<@Nullable ScheduleEntry> byNumber = new ArrayList<>();
  private final Deque<Integer> free = new ArrayDeque<>();

  /** Schedules that do not exist and have fires, those first that are gone the longest. */
  private final Set<ScheduleEntry> gone = new LinkedHashSet<>();

  private final Map<Object, Object> shared = new HashMap<>();
  private final long mostBytes;
  private long bytes;
  private boolean isFull;
  private int slice;

  ScheduleTable(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** The entry of an id, a new one if there is none and the table is not full. */
  Optional<ScheduleEntry> of(String id) {
    Optional<ScheduleEntry> known = find(id);
    return known.isPresent() || isFull ? known : Optional.of(added(id));
  }

  private ScheduleEntry added(String id) {
    int number = free.isEmpty() ? byNumber.size() : free.pop();
    ScheduleEntry entry = new ScheduleEntry(id, number);
    if (number == byNumber.size()) {
      byNumber.add(entry);
    } else {
      byNumber.set(number, entry);
    }
    byId.put(id, entry);
    return entry;
  }

  /**
   * Counts an entry anew, after a change.
   *
   * @return false if there is no room for it: it must go, and the table takes no new ones
   */
  boolean fits(ScheduleEntry entry) {
    long now = byId.get(entry.id) == entry ? entry.bytes() : 0;
    bytes += now - entry.counted;
    entry.counted = now;
    isFull |= bytes > mostBytes;
    return bytes <= mostBytes;
  }

  boolean isFull() {
    return isFull;
  }

  /** Whether so much is gone since then that all may have room. */
  boolean hasRoomAgain() {
    return isFull && bytes < mostBytes / 2;
  }

  Optional<ScheduleEntry> find(String id) {
    return Optional.ofNullable(byId.get(id));
  }

  /** The log of fires drops the oldest fire of this schedule. */
  void fireForgotten(int number) {
    ScheduleEntry entry = Objects.requireNonNull(byNumber.get(number));
    entry.fires--;
    freeIfGone(entry);
  }

  /** Frees a schedule that does not exist any more, and its number with its last fire. */
  void freeIfGone(ScheduleEntry entry) {
    if (entry.exists()) {
      var unused = fits(entry);
      return;
    }
    entry.forget();
    gone.add(entry);
    if (entry.fires == 0) {
      gone.remove(entry);
      byId.remove(entry.id);
      byNumber.set(entry.number, null);
      free.push(entry.number);
    }
    var unused = fits(entry);
  }

  /** A schedule that does not exist yet, or any more, has fired. */
  void firedWithoutExisting(ScheduleEntry entry) {
    gone.add(entry);
  }

  /**
   * One that is gone the longest, for its fires to be taken from it.
   *
   * @param most how many may be kept for their fires alone; empty if there are no more
   */
  Optional<ScheduleEntry> oneTooMany(int most) {
    while (gone.size() > most) {
      ScheduleEntry longest = gone.iterator().next();
      gone.remove(longest);
      if (!longest.exists()) {
        return Optional.of(longest);
      }
    }
    return Optional.empty();
  }

  /** Every entry, in the order of the ids. */
  Collection<ScheduleEntry> entries() {
    return byId.values();
  }

  /** The entries whose ids begin with a prefix, in the order of the ids. */
  Collection<ScheduleEntry> inOrder(String prefix) {
    return prefix.isEmpty()
        ? byId.values()
        : byId.subMap(prefix, true, prefix + Character.MAX_VALUE, false).values();
  }

  Stream<ScheduleEntry> all() {
    return byId.values().stream().filter(ScheduleEntry::exists);
  }

  /** The next of all schedules; after the last come the first. */
  Stream<ScheduleEntry> nextSlice(int most) {
    int from = slice >= byNumber.size() ? 0 : slice;
    slice = Math.min(byNumber.size(), from + most);
    return IntStream.range(from, slice)
        .mapToObj(byNumber::get)
        .flatMap(Stream::ofNullable)
        .filter(ScheduleEntry::exists);
  }

  /** An equal value, one object for all who ask, while there are not too many, or too long ones. */
  @SuppressWarnings("unchecked") // an equal value of these types is of the same type
  <T> T interned(T value) {
    if (ScheduleEntry.textBytes(value) > LONGEST_SHARED) {
      return value;
    }
    if (shared.size() >= MOST_SHARED) {
      shared.clear();
    }
    return (T) shared.computeIfAbsent(value, same -> same);
  }
}
