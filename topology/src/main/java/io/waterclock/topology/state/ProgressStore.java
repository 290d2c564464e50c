package io.waterclock.topology.state;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.decide.Carried;
import io.waterclock.topology.decide.Older;
import io.waterclock.topology.decide.ScheduleState;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The position of a partition, and the progress of the schedules out of step with it.
 *
 * <p>Keys: a zero byte for the position; the id for a progress record; the id, a zero byte and a
 * sequence number for each replaced revision that the schedule still has to decide, so that no
 * value grows with the number of edits. Ids hold no zero byte. {@link CalendarStore} has keys of
 * its own in the same store.
 */
public final class ProgressStore {
  public static final String NAME = "progress";
  private static final Bytes POSITION = Bytes.wrap(new byte[] {0});

  private final KeyValueStore<Bytes, byte[]> store;
  private final StateCodec codec = new StateCodec();

  public ProgressStore(KeyValueStore<Bytes, byte[]> store) {
    this.store = store;
  }

  /** Empty in a partition that has never been ticked. */
  public Optional<StoredPosition> position() {
    byte[] value = store.get(POSITION);
    return value == null ? Optional.empty() : Optional.of(codec.decodePosition(value));
  }

  public void putPosition(Position position, long clockMs) {
    store.put(POSITION, codec.encode(position, clockMs));
  }

  /** The state of a schedule out of step; empty when it is in step. */
  public Optional<ScheduleState> get(ScheduleId id, StoredSchedule stored) {
    byte[] value = store.get(Bytes.wrap(id.utf8()));
    if (value == null) {
      return Optional.empty();
    }
    StoredProgress progress = codec.decodeProgress(value);
    List<Carried> carried = new ArrayList<>();
    List<Older> older = new ArrayList<>();
    if (progress.hasReplaced()) {
      for (KeyValue<Long, byte[]> replaced : replaced(id.utf8())) {
        if (StateCodec.isOlder(replaced.value)) {
          older.add(codec.decodeOlder(replaced.key, replaced.value));
        } else {
          carried.add(codec.decodeCarried(replaced.key, replaced.value));
        }
      }
    }
    return Optional.of(
        new ScheduleState(
            id,
            stored.accepted(),
            progress.decidedThrough(),
            List.copyOf(carried),
            List.copyOf(older),
            progress.replayThrough(),
            progress.fault(),
            stored.completedAt()));
  }

  /**
   * Stores the progress of a schedule out of step. Costs a write for each replaced revision that is
   * new.
   */
  public void put(ScheduleState state) {
    byte[] id = state.id().utf8();
    boolean hasReplaced = !state.carried().isEmpty() || !state.older().isEmpty();
    if (hasReplaced || hadReplaced(id)) {
      putReplaced(id, state);
    }
    store.put(
        Bytes.wrap(id),
        codec.encode(
            new StoredProgress(
                state.decidedThrough(), state.replayThrough(), state.fault(), hasReplaced)));
  }

  /**
   * Removes the progress of a schedule that is in step again, or gone.
   *
   * @return false when it has none; then nothing is written
   */
  public boolean delete(byte[] id) {
    byte[] value = store.get(Bytes.wrap(id));
    if (value == null) {
      return false;
    }
    if (codec.decodeProgress(value).hasReplaced()) {
      for (KeyValue<Long, byte[]> replaced : replaced(id)) {
        store.delete(replacedKey(id, replaced.key));
      }
    }
    store.delete(Bytes.wrap(id));
    return true;
  }

  /** True when the schedule has a progress record of its own. */
  public boolean contains(byte[] id) {
    return store.get(Bytes.wrap(id)) != null;
  }

  /** The schedules out of step among those from {@code first} to {@code last}, both inclusive. */
  public Set<ScheduleId> idsWithin(ScheduleId first, ScheduleId last) {
    Set<ScheduleId> ids = new HashSet<>();
    try (KeyValueIterator<Bytes, byte[]> range =
        store.range(Bytes.wrap(first.utf8()), Bytes.wrap(last.utf8()))) {
      while (range.hasNext()) {
        byte[] key = range.next().key.get();
        if (!isReplacedKey(key)) {
          ids.add(ScheduleId.ofUtf8(key));
        }
      }
    }
    return ids;
  }

  private static boolean isReplacedKey(byte[] key) {
    int zero = key.length - 1 - Long.BYTES;
    return zero > 0 && key[zero] == 0;
  }

  private void putReplaced(byte[] id, ScheduleState state) {
    Set<Long> stored = new HashSet<>();
    Set<Long> carriedBefore = new HashSet<>();
    for (KeyValue<Long, byte[]> replaced : replaced(id)) {
      stored.add(replaced.key);
      if (!StateCodec.isOlder(replaced.value)) {
        carriedBefore.add(replaced.key);
      }
    }
    Set<Long> kept = new HashSet<>();
    for (Carried carried : state.carried()) {
      kept.add(carried.seq());
      if (!carriedBefore.contains(carried.seq())) {
        store.put(replacedKey(id, carried.seq()), codec.encode(carried));
      }
    }
    for (Older older : state.older()) {
      kept.add(older.seq());
      if (!stored.contains(older.seq())) {
        store.put(replacedKey(id, older.seq()), codec.encode(older));
      }
    }
    stored.removeAll(kept);
    stored.forEach(seq -> store.delete(replacedKey(id, seq)));
  }

  private boolean hadReplaced(byte[] id) {
    byte[] value = store.get(Bytes.wrap(id));
    return value != null && codec.decodeProgress(value).hasReplaced();
  }

  private List<KeyValue<Long, byte[]>> replaced(byte[] id) {
    List<KeyValue<Long, byte[]>> result = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> range =
        store.range(replacedKey(id, 0), replacedKey(id, Long.MAX_VALUE))) {
      while (range.hasNext()) {
        KeyValue<Bytes, byte[]> next = range.next();
        byte[] key = next.key.get();
        result.add(
            KeyValue.pair(ByteBuffer.wrap(key, id.length + 1, Long.BYTES).getLong(), next.value));
      }
    }
    return result;
  }

  private static Bytes replacedKey(byte[] id, long seq) {
    byte[] key = Arrays.copyOf(id, id.length + 1 + Long.BYTES);
    ByteBuffer.wrap(key).putLong(id.length + 1, seq);
    return Bytes.wrap(key);
  }
}
