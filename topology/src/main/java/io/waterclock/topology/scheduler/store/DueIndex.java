package io.waterclock.topology.scheduler.store;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The local index of a partition: which schedules to look at before an instant, so that the queue
 * need not hold those that wait for later. It lies in the store of the definitions, but not in its
 * changelog.
 *
 * <p>An entry is a lower bound: the schedule has no undecided occurrence that is due earlier, while
 * the position alone is its progress. A schedule may have further entries, which mean nothing.
 *
 * <p>{@link #put}, {@link #delete} and {@link #stamp(byte[])} belong to the transaction, like a
 * change of the store: reads see them, and they last if it commits. Not thread-safe: one per task.
 */
public interface DueIndex {
  /** Below every due instant: the schedule is looked at whenever a task begins. */
  long ALWAYS = Long.MIN_VALUE;

  /** A store that has an index of its rows. */
  interface Indexed {
    DueIndex dueIndex();
  }

  /**
   * @param dueMs epoch milliseconds, or {@link #ALWAYS}
   * @param id the schedule id in UTF-8; callers must not change it
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Entry(long dueMs, byte[] id) {
    /** Before all entries that are due at an instant or later. */
    public static Entry before(long dueMs) {
      return new Entry(dueMs, new byte[0]);
    }

    public static Entry ofKey(byte[] key) {
      return new Entry(
          ByteBuffer.wrap(key).getLong() ^ Long.MIN_VALUE,
          Arrays.copyOfRange(key, Long.BYTES, key.length));
    }

    /** The entry as bytes, which sort unsigned by (due, id); at least eight. */
    public byte[] key() {
      return ByteBuffer.allocate(Long.BYTES + id.length)
          .putLong(dueMs ^ Long.MIN_VALUE)
          .put(id)
          .array();
    }
  }

  void put(Entry entry);

  void delete(Entry entry);

  boolean contains(Entry entry);

  /**
   * The first entries after one, in the order of (due, id).
   *
   * @param after exclusive
   * @param beforeMs exclusive, epoch milliseconds
   */
  List<Entry> range(Entry after, long beforeMs, int limit);

  /** What the index says of itself; empty unless it has an entry for each schedule that waits. */
  Optional<byte[]> stamp();

  void stamp(byte[] stamp);

  /** Deletes the stamp and all entries, at once and whatever becomes of the transaction. */
  void clear();

  /**
   * Adds entries at once, whatever becomes of the transaction. Only to an index without a stamp.
   */
  void build(List<Entry> entries);
}
