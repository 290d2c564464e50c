package io.waterclock.topology.scheduler.store;

import java.util.Arrays;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Look-ups that are cheaper in ascending order, such as those of schedules that are due at the same
 * instant.
 *
 * <p>Idea: after a run of ascending look-ups, an iterator serves the next ones. Its next row is
 * usually the requested one, and a step costs a fraction of a search. At the first miss, look-ups
 * become searches again until the next run. If a run ended only because the caller expected no
 * look-ups for a while, it continues at once.
 *
 * <p>An iterator sees the store as of its opening, so the caller must end a run before a write. Not
 * thread-safe.
 */
final class AscendingReads {
  /** Opening an iterator costs as much as a dozen searches, so only a longer run is worth it. */
  private static final int RUN = 64;

  /** The most rows to step over: more steps cost more than a search. */
  private static final int MAX_STEPS = 4;

  /** Above every byte of an id, since ids are ASCII. */
  static final byte END_BYTE = -1;

  /** Above every id. */
  static final Bytes END = Bytes.wrap(new byte[] {END_BYTE});

  private final KeyValueStore<Bytes, byte[]> store;
  private boolean isExpected;
  private int run;
  private int served;
  private boolean wasInterrupted;
  private byte[] latest = {};
  private @Nullable KeyValueIterator<Bytes, byte[]> ahead;
  private @Nullable KeyValue<Bytes, byte[]> next;

  AscendingReads(KeyValueStore<Bytes, byte[]> store) {
    this.store = store;
  }

  /** Sets whether ascending look-ups are expected. Otherwise no iterator is open. */
  void expectAscending(boolean expected) {
    isExpected = expected;
    if (!expected) {
      wasInterrupted = ahead == null ? wasInterrupted : served >= RUN;
      stop();
    }
  }

  byte @Nullable [] get(byte[] id) {
    boolean ascends = Arrays.compareUnsigned(latest, id) < 0;
    latest = id;
    wasInterrupted &= ascends;
    if (ahead != null) {
      if (ascends && reach(ahead, id)) {
        served++;
        return take(id);
      }
      stop();
      wasInterrupted = false;
    }
    byte[] value = store.get(Bytes.wrap(id));
    run = ascends ? run + 1 : 0;
    if (isExpected && (run >= RUN || wasInterrupted)) {
      ahead = store.range(successor(id), END);
    }
    return value;
  }

  /**
   * Steps forward until {@code next} is the first row at or after an id; false if it is too far.
   */
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

  /** The least key above {@code id}. */
  static Bytes successor(byte[] id) {
    return Bytes.wrap(Arrays.copyOf(id, id.length + 1));
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
