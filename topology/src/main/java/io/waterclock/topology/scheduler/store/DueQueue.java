package io.waterclock.topology.scheduler.store;

import io.waterclock.schemas.HomePartition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The work queue of a partition: one entry for each schedule that waits for an occurrence.
 *
 * <p>Two lanes. <em>Live</em>: ordered by (due, id), for schedules whose next occurrence lies above
 * the position. <em>Catch-up</em>: round robin, for schedules behind the position; so a long replay
 * does not delay other schedules.
 *
 * <p>Idea: entries are small objects that store their place in a 4-ary heap, and an open-addressing
 * table finds the entry of an id, by a hash with a random key, since producers choose the ids. An
 * edit or a delete moves or removes the entry at once, so no stale entries remain. With ids of 16
 * bytes an entry costs about 80 bytes: 32 for itself, 32 for its id, 5 in the heap, 8 to 12 in the
 * table. Heap and table shrink when few entries are left.
 *
 * <p>Delayed records without a name for one instant keep their order in the catch-up lane, too,
 * where turns go round: a tree knows those that are in it. One that was written after its instant
 * is due when it was written, so the tree goes by the instant.
 *
 * <p>Cost: O(log n) to add, move and remove, O(1) to read the head and to find an entry. In memory
 * only; not thread-safe: one per task.
 */
public final class DueQueue {
  private static final int ARITY = 4;
  private static final int LEAST_HEAP = 64;
  private static final int LEAST_TABLE = 128;
  private static final int IN_CATCH_UP = -1;
  private static final int REMOVED = -2;
  private static final int OWN_PROGRESS = 0x8000_0000;
  private static final int ROLL_CALL = 0x4000_0000;
  private static final int HASH = ~(OWN_PROGRESS | ROLL_CALL);

  /** The entry of a schedule. Valid until the next change of the queue. */
  public static class Entry {
    private final byte[] id;
    private int hashAndFlags;
    private long dueMs;
    private int place;

    private Entry(byte[] id, int hashAndFlags, long dueMs) {
      this.id = id;
      this.hashAndFlags = hashAndFlags;
      this.dueMs = dueMs;
    }

    /** The schedule id in UTF-8; callers must not change it. */
    public byte[] id() {
      return id;
    }

    /** When its next occurrence is due, epoch milliseconds. */
    public long dueMs() {
      return dueMs;
    }

    /** True when the schedule is out of step: it has a progress record of its own. */
    public boolean hasOwnProgress() {
      return (hashAndFlags & OWN_PROGRESS) != 0;
    }

    /** True in the live lane, false in the catch-up lane. */
    public boolean isLive() {
      return place >= 0;
    }

    private boolean isBefore(Entry other) {
      return dueMs < other.dueMs
          || (dueMs == other.dueMs && Arrays.compareUnsigned(id, other.id) < 0);
    }
  }

  /** The entry of a delayed record without a name, in the catch-up lane. */
  private static final class LateUnnamed extends Entry {
    private final long atMs;

    LateUnnamed(byte[] id, int hashAndFlags, long dueMs, long atMs) {
      super(id, hashAndFlags, dueMs);
      this.atMs = atMs;
    }
  }

  private static final Comparator<Entry> BY_DUE =
      (one, other) -> one.isBefore(other) ? -1 : other.isBefore(one) ? 1 : 0;

  private static final Comparator<Entry> BY_INSTANT =
      Comparator.comparingLong(DueQueue::atMs)
          .thenComparing((one, other) -> Arrays.compareUnsigned(one.id, other.id));

  private final KeyedHash hash = KeyedHash.random();
  private @Nullable Entry[] heap = new @Nullable Entry[LEAST_HEAP];
  private int live;
  private @Nullable Entry[] table = new @Nullable Entry[LEAST_TABLE];
  private int entries;
  private ArrayDeque<Entry> catchUp = new ArrayDeque<>();

  /** Those of the catch-up lane that have no turn yet, and some that have left it. */
  private final PriorityQueue<Entry> early = new PriorityQueue<>(BY_DUE);

  /** The delayed records without a name that are in the catch-up lane. */
  private final TreeSet<Entry> unnamedLate = new TreeSet<>(BY_INSTANT);

  private int rollCall;

  /** Puts a schedule into the live lane, instead of its previous entry. */
  public void putLive(byte[] id, long dueMs, boolean ownProgress) {
    Entry entry = replace(id, dueMs, ownProgress, OptionalLong.empty());
    if (entry.place < 0) {
      entry.place = live;
      if (live == heap.length) {
        heap = Arrays.copyOf(heap, live + (live >> 2) + 64);
      }
      heap[live++] = entry;
    }
    siftUp(entry);
    siftDown(entry);
  }

  /**
   * Puts a schedule at the end of the catch-up lane, instead of its previous entry.
   *
   * @param atMs the instant of its next occurrence, epoch milliseconds; a delayed record that was
   *     written after it is due later
   */
  public void putCatchUp(byte[] id, long dueMs, long atMs) {
    Entry entry = replace(id, dueMs, true, OptionalLong.of(atMs));
    if (entry.place >= 0) {
      removeFromHeap(entry);
    }
    entry.place = IN_CATCH_UP;
    catchUp.addLast(entry);
    if (entry instanceof LateUnnamed) {
      unnamedLate.add(entry);
    }
  }

  /**
   * True for a delayed record without a name while another one for its instant that comes before it
   * is late, or may not have had its turn yet.
   *
   * @param decided up to which the live lane is decided
   */
  public boolean isBehindUnnamed(Entry entry, Position decided) {
    boolean isLate = entry instanceof LateUnnamed;
    if (!isLate && (unnamedLate.isEmpty() || !HomePartition.isUnnamed(entry.id))) {
      return false;
    }
    Entry before = unnamedLate.lower(entry);
    return (before != null && atMs(before) == atMs(entry))
        || (isLate && !decided.covers(atMs(entry), entry.id));
  }

  private static long atMs(Entry entry) {
    return entry instanceof LateUnnamed late ? late.atMs : entry.dueMs;
  }

  private void end(Entry entry) {
    if (entry.place == IN_CATCH_UP) {
      unnamedLate.remove(entry);
    }
    entry.place = REMOVED;
  }

  /** Delays a live entry to a later instant, epoch milliseconds, without a search. */
  public void delay(Entry entry, long dueMs) {
    entry.dueMs = dueMs;
    siftDown(entry);
  }

  /** Removes the schedule's entry, if it has one. */
  public void remove(byte[] id) {
    int slot = slotOf(id, hash(id));
    Entry entry = table[slot];
    if (entry != null) {
      remove(entry, slot);
    }
  }

  /** Removes an entry of this queue. */
  public void remove(Entry entry) {
    remove(entry, slotOf(entry));
  }

  private void remove(Entry entry, int slot) {
    if (entry.place >= 0) {
      removeFromHeap(entry);
    }
    end(entry);
    removeSlot(slot);
  }

  public Optional<Entry> find(byte[] id) {
    return Optional.ofNullable(table[slotOf(id, hash(id))]);
  }

  /** The live entry that is due first, ties by id. */
  public Optional<Entry> firstLive() {
    return Optional.ofNullable(heap[0]);
  }

  /**
   * The next catch-up entry whose occurrence may be decided. The others have no turn, and cost
   * nothing, until a call with a later instant.
   *
   * @param throughMs inclusive, epoch milliseconds
   */
  public Optional<Entry> firstCatchUp(long throughMs) {
    Entry next = early.peek();
    while (next != null && (next.place != IN_CATCH_UP || next.dueMs <= throughMs)) {
      early.remove();
      if (next.place == IN_CATCH_UP) {
        catchUp.addLast(next);
      }
      next = early.peek();
    }
    Entry first = catchUp.peekFirst();
    while (first != null && (first.place != IN_CATCH_UP || first.dueMs > throughMs)) {
      takeFirst();
      if (first.place == IN_CATCH_UP) {
        early.add(first);
      }
      first = catchUp.peekFirst();
    }
    return Optional.ofNullable(first);
  }

  /** Moves the entry that {@link #firstCatchUp} has returned to the end of the lane. */
  public void passCatchUp() {
    catchUp.addLast(catchUp.removeFirst());
  }

  private void takeFirst() {
    catchUp.removeFirst();
    if (catchUp.isEmpty()) {
      catchUp = new ArrayDeque<>(); // the old one keeps its largest size
    }
  }

  /** When the earliest occurrence of the catch-up lane is due. O(length of that lane). */
  public Optional<Long> earliestCatchUpMs() {
    return Stream.concat(catchUp.stream(), early.stream())
        .filter(entry -> entry.place == IN_CATCH_UP)
        .map(Entry::dueMs)
        .min(Long::compare);
  }

  public int liveSize() {
    return live;
  }

  /** How many live entries are due at or before an instant. O(their number). */
  public int liveDue(long nowMs) {
    return dueBelow(0, nowMs);
  }

  /** Uses that no child in the heap is due before its parent. */
  private int dueBelow(int place, long nowMs) {
    if (place >= live || at(place).dueMs > nowMs) {
      return 0;
    }
    int due = 1;
    for (int child = place * ARITY + 1; child <= place * ARITY + ARITY; child++) {
      due += dueBelow(child, nowMs);
    }
    return due;
  }

  public int catchUpSize() {
    return entries - live;
  }

  /** At most so many entries of the catch-up lane have a turn. */
  public int catchUpTurns() {
    return catchUp.size();
  }

  /**
   * Begins a roll call, which finds entries without a schedule. Marks all entries as not called;
   * later entries count as called.
   */
  public void beginRollCall() {
    rollCall ^= ROLL_CALL;
  }

  /** Marks the entry of a schedule as called, if there is one. */
  public void call(byte[] id) {
    Entry entry = table[slotOf(id, hash(id))];
    if (entry != null) {
      entry.hashAndFlags = (entry.hashAndFlags & ~ROLL_CALL) | rollCall;
    }
  }

  /**
   * The number of slots of the table. It grows and shrinks with the queue, which moves the entries.
   */
  public int slots() {
    return table.length;
  }

  /**
   * Returns the ids of the uncalled entries in some slots, and marks them as called. Callers
   * process all slots of a roll call from the last to the first, since a removal moves entries to
   * earlier slots.
   *
   * @param from inclusive, 0 or more
   * @param to exclusive, at most {@link #slots}
   */
  public List<byte[]> takeUncalled(int from, int to) {
    List<byte[]> ids = new ArrayList<>();
    for (int slot = from; slot < to; slot++) {
      Entry entry = table[slot];
      if (entry != null && (entry.hashAndFlags & ROLL_CALL) != rollCall) {
        entry.hashAndFlags ^= ROLL_CALL;
        ids.add(entry.id);
      }
    }
    return ids;
  }

  /**
   * An entry for the id in the table; its place is its old one in the heap, or REMOVED.
   *
   * @param catchUpMs the instant of an occurrence that goes to the catch-up lane
   */
  private Entry replace(byte[] id, long dueMs, boolean ownProgress, OptionalLong catchUpMs) {
    int hash = hash(id);
    int slot = slotOf(id, hash);
    Entry old = table[slot];
    boolean isLateUnnamed = catchUpMs.isPresent() && HomePartition.isUnnamed(id);
    if (old != null && old.place >= 0 && old.hasOwnProgress() == ownProgress && !isLateUnnamed) {
      old.dueMs = dueMs;
      return old;
    }
    int flags = hash | (ownProgress ? OWN_PROGRESS | rollCall : rollCall);
    byte[] stored = old == null ? id : old.id;
    Entry entry =
        isLateUnnamed
            ? new LateUnnamed(stored, flags, dueMs, catchUpMs.getAsLong())
            : new Entry(stored, flags, dueMs);
    entry.place = REMOVED;
    if (old == null) {
      if ((entries + 1) * 3L > table.length * 2L) {
        resizeTable(table.length * 2);
        slot = slotOf(id, hash);
      }
      entries++;
    } else if (old.place >= 0) {
      entry.place = old.place;
      heap[old.place] = entry;
    }
    if (old != null) {
      end(old);
    }
    table[slot] = entry;
    return entry;
  }

  private void removeFromHeap(Entry entry) {
    int place = entry.place;
    Entry last = at(--live);
    heap[live] = null;
    if (last != entry) {
      last.place = place;
      heap[place] = last;
      siftUp(last);
      siftDown(last);
    }
    if (heap.length > LEAST_HEAP && live < heap.length >> 2) {
      heap = Arrays.copyOf(heap, Math.max(LEAST_HEAP, heap.length >> 1));
    }
  }

  private Entry at(int place) {
    Entry entry = heap[place];
    if (entry == null) {
      throw new IllegalStateException("no entry at " + place + " of " + live);
    }
    return entry;
  }

  private void siftUp(Entry entry) {
    int place = entry.place;
    while (place > 0) {
      int parentPlace = (place - 1) / ARITY;
      Entry parent = at(parentPlace);
      if (!entry.isBefore(parent)) {
        break;
      }
      heap[place] = parent;
      parent.place = place;
      place = parentPlace;
    }
    heap[place] = entry;
    entry.place = place;
  }

  private void siftDown(Entry entry) {
    int place = entry.place;
    while (true) {
      int child = place * ARITY + 1;
      if (child >= live) {
        break;
      }
      Entry least = at(child);
      int end = Math.min(child + ARITY, live);
      for (int other = child + 1; other < end; other++) {
        Entry candidate = at(other);
        if (candidate.isBefore(least)) {
          least = candidate;
        }
      }
      if (!least.isBefore(entry)) {
        break;
      }
      int leastPlace = least.place;
      heap[place] = least;
      least.place = place;
      place = leastPlace;
    }
    heap[place] = entry;
    entry.place = place;
  }

  private int hash(byte[] id) {
    return (int) hash.of(id) & HASH;
  }

  /** The slot of the id's entry, or the free slot where it would go. */
  private int slotOf(byte[] id, int hash) {
    int mask = table.length - 1;
    int slot = hash & mask;
    while (true) {
      Entry entry = table[slot];
      if (entry == null || ((entry.hashAndFlags & HASH) == hash && Arrays.equals(entry.id, id))) {
        return slot;
      }
      slot = (slot + 1) & mask;
    }
  }

  /** The slot of an entry of this queue, found without a look at the ids of others. */
  private int slotOf(Entry entry) {
    int mask = table.length - 1;
    int slot = entry.hashAndFlags & HASH & mask;
    while (table[slot] != entry) {
      if (table[slot] == null) {
        throw new IllegalStateException("the entry is not in the queue");
      }
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private void resizeTable(int length) {
    @Nullable Entry[] old = table;
    table = new @Nullable Entry[length];
    for (Entry entry : old) {
      if (entry != null) {
        table[slotOf(entry.id, entry.hashAndFlags & HASH)] = entry;
      }
    }
  }

  /** Frees a slot of the linear probing table by moving later entries of its run back. */
  private void removeSlot(int freed) {
    int mask = table.length - 1;
    int hole = freed;
    int slot = (hole + 1) & mask;
    while (true) {
      Entry entry = table[slot];
      if (entry == null) {
        break;
      }
      int ideal = entry.hashAndFlags & mask;
      if (((slot - ideal) & mask) >= ((slot - hole) & mask)) {
        table[hole] = entry;
        hole = slot;
      }
      slot = (slot + 1) & mask;
    }
    table[hole] = null;
    entries--;
    if (table.length > LEAST_TABLE && entries < table.length >> 3) {
      resizeTable(table.length >> 1);
    }
  }
}
