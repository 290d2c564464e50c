package io.waterclock.topology.scheduler.store;

import java.util.Arrays;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Look-ups that get cheaper when they come in ascending order, as those of schedules that are due
 * at one instant do.
 *
 * <p>Idea: after a run of ascending look-ups an iterator walks beside the next ones. Its next row
 * is mostly the one that is asked for, and stepping to it costs a fraction of a search. As soon as
 * it is not, look-ups are searches again until the next run. Where a run was cut short only because
 * none was expected for a while, it goes on at once.
 *
 * <p>An iterator sees the store as it was when it was opened, so none may outlive a write. Not
 * thread-safe.
 */
final class AscendingReads {
  /** Opening an iterator costs as much as a dozen searches, so a run must promise more. */
  private static final int RUN = 64;

  /** Rows between two that are asked for: stepping over more costs more than a search. */
  private static final int MAX_STEPS = 4;

  private final KeyValueStore<Bytes, byte[]> store;
  private boolean active;
  private int run;
  private int served;
  private boolean wasCutShort;
  private byte[] latest = {};
  private @Nullable KeyValueIterator<Bytes, byte[]> ahead;
  private @Nullable KeyValue<Bytes, byte[]> next;

  AscendingReads(KeyValueStore<Bytes, byte[]> store) {
    this.store = store;
  }

  /** While nothing is expected, no iterator is open. */
  void expectAscending(boolean expected) {
    active = expected;
    if (!expected) {
      wasCutShort = ahead == null ? wasCutShort : served >= RUN;
      stop();
    }
  }

  byte @Nullable [] get(byte[] id) {
    boolean ascends = Arrays.compareUnsigned(latest, id) < 0;
    latest = id;
    wasCutShort &= ascends;
    if (ahead != null) {
      if (ascends && reach(ahead, id)) {
        served++;
        return take(id);
      }
      stop();
      wasCutShort = false;
    }
    byte[] value = store.get(Bytes.wrap(id));
    run = ascends ? run + 1 : 0;
    if (active && (run >= RUN || wasCutShort)) {
      ahead = store.range(ScheduleStore.successor(id), ScheduleStore.END);
    }
    return value;
  }

  /** Steps forward until {@code next} is the first row at or after an id; false if that is far. */
  private boolean reach(KeyValueIterator<Bytes, byte[]> rows, byte[] id) {
    for (int step = 0; step < MAX_STEPS; step++) {
      if (next == null) {
        if (!rows.hasNext()) {
          return false;
        }
        next = rows.next();
      }
      if (Arrays.compareUnsigned(next.key.get(), id) >= 0) {
        return true;
      }
      next = null;
    }
    return false;
  }

  /** The value of the next row if it is the id's; otherwise the store has no such row. */
  private byte @Nullable [] take(byte[] id) {
    KeyValue<Bytes, byte[]> row = next;
    if (row == null || !Arrays.equals(row.key.get(), id)) {
      return null;
    }
    next = null;
    return row.value;
  }

  private void stop() {
    if (ahead != null) {
      ahead.close();
      ahead = null;
    }
    next = null;
    run = 0;
    served = 0;
  }
}
