package io.waterclock.topology.scheduler.store;

import io.waterclock.schemas.ScheduleId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The accepted definitions of a partition, by id. Written on change only. This and the other stores
 * delete a row by a null value: {@link KeyValueStore#delete} reads the row first.
 */
public final class ScheduleStore {
  public static final String NAME = "schedules";

  /** Bounds the memory of a slice: a definition may have a megabyte. */
  private static final long ENOUGH_BYTES = 4L << 20;

  private final KeyValueStore<Bytes, byte[]> store;
  private final AscendingReads reads;
  private final StateCodec codec = new StateCodec();

  public ScheduleStore(KeyValueStore<Bytes, byte[]> store) {
    this.store = store;
    this.reads = new AscendingReads(store);
  }

  public Optional<StoredSchedule> get(byte[] id) {
    byte[] value = reads.get(id);
    return value == null ? Optional.empty() : Optional.of(codec.decodeSchedule(value));
  }

  /**
   * Announces look-ups in ascending order, until a write or the opposite call. The results stay the
   * same; ascending look-ups cost less.
   */
  public void expectAscending(boolean expected) {
    reads.expectAscending(expected);
  }

  public void put(byte[] id, StoredSchedule schedule) {
    reads.expectAscending(false);
    store.put(Bytes.wrap(id), codec.encode(schedule));
  }

  public void delete(byte[] id) {
    reads.expectAscending(false);
    store.put(Bytes.wrap(id), null);
  }

  /** About how many schedules there are. */
  public long approximateSize() {
    return store.approximateNumEntries();
  }

  public record Row(ScheduleId id, StoredSchedule stored) {}

  /**
   * Consecutive schedules.
   *
   * @param rows in ascending order of their ids
   * @param isLast true when no schedule follows
   */
  public record Slice(List<Row> rows, boolean isLast) {}

  /**
   * Up to {@code limit} schedules in ascending order of their ids, strictly after {@code after} if
   * given; fewer when they are large, but at least one. One pass over the store, which is much
   * cheaper than as many look-ups.
   */
  public Slice rowsAfter(Optional<ScheduleId> after, int limit) {
    return rowsWith("", after, limit);
  }

  /**
   * The slice that {@link #rowsAfter} gives, of the ids that begin with {@code prefix}.
   *
   * @param prefix ASCII; empty for all
   */
  public Slice rowsWith(String prefix, Optional<ScheduleId> after, int limit) {
    List<Row> rows = new ArrayList<>(Math.min(limit, 1024));
    byte[] first = prefix.getBytes(StandardCharsets.US_ASCII);
    byte[] last = Arrays.copyOf(first, first.length + 1);
    last[first.length] = AscendingReads.END_BYTE;
    Bytes from = after.isEmpty() ? Bytes.wrap(first) : AscendingReads.successor(after.get().utf8());
    try (KeyValueIterator<Bytes, byte[]> range = store.range(from, Bytes.wrap(last))) {
      long bytes = 0;
      while (rows.size() < limit && bytes < ENOUGH_BYTES && range.hasNext()) {
        KeyValue<Bytes, byte[]> next = range.next();
        bytes += next.value.length;
        rows.add(new Row(ScheduleId.ofUtf8(next.key.get()), codec.decodeSchedule(next.value)));
      }
      return new Slice(rows, !range.hasNext());
    }
  }
}
