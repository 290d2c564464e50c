package io.waterclock.topology.scheduler.store;

import io.waterclock.decide.model.EarlierLives;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.schemas.text.Instants;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The memory of a task for strays and for topics that are read again: the removed schedules with
 * the timestamps of their last writes, and the offsets up to which the task has taken topics.
 *
 * <p>Kept in the store of {@link ProgressStore}, under keys that no schedule id can take: a zero
 * byte, "removed", a zero byte and the id; a zero byte and "removed-forgotten"; a zero byte,
 * "taken", a zero byte and the topic. An entry takes about 50 bytes and the id.
 */
public final class StrayStore {
  private static final byte VERSION = 1;

  private static final byte[] REMOVED = "\0removed\0".getBytes(StandardCharsets.US_ASCII);
  private static final Bytes AFTER_REMOVED =
      Bytes.wrap("\0removed\1".getBytes(StandardCharsets.US_ASCII));
  private static final Bytes FORGOTTEN =
      Bytes.wrap("\0removed-forgotten".getBytes(StandardCharsets.US_ASCII));
  private static final byte[] TAKEN = "\0taken\0".getBytes(StandardCharsets.US_ASCII);

  private final KeyValueStore<Bytes, byte[]> store;

  /** The latest answers: the admission of a record asks for the same again. */
  private Optional<ScheduleId> latest = Optional.empty();

  private Optional<RemovedSchedule> latestRemoved = Optional.empty();
  private Optional<Forgotten> forgotten;

  /** False while no schedule was removed: then a look-up is not needed. */
  private boolean mayHaveRemoved;

  /**
   * @param store that of {@link ProgressStore}
   */
  public StrayStore(KeyValueStore<Bytes, byte[]> store) {
    this.store = store;
    this.forgotten = Optional.ofNullable(store.get(FORGOTTEN)).map(StrayStore::forgotten);
    this.mayHaveRemoved = !rowsAfter(Optional.empty(), 1).isEmpty();
  }

  public record Row(ScheduleId id, RemovedSchedule removed) {}

  /**
   * How far the records of a topic are taken.
   *
   * @param offset inclusive
   * @param newest the latest timestamp so far
   */
  public record Taken(long offset, Instant newest) {}

  /** Empty when the schedule exists, never existed, or is forgotten. */
  public Optional<RemovedSchedule> removed(ScheduleId id) {
    if (mayHaveRemoved && latest.filter(id::equals).isEmpty()) {
      latestRemoved =
          Optional.ofNullable(store.get(key(REMOVED, id.utf8()))).map(StrayStore::removed);
      latest = Optional.of(id);
    }
    return latestRemoved;
  }

  public void put(ScheduleId id, RemovedSchedule removed) {
    mayHaveRemoved = true;
    latest = Optional.empty();
    EarlierLives decided = removed.decided();
    LongStream all =
        LongStream.of(
            removed.writtenAt().toEpochMilli(),
            removed.removedAt().toEpochMilli(),
            removed.through(),
            decided.endedThrough().toEpochMilli());
    LongStream last = decided.lastOccurrence().stream().mapToLong(Instant::toEpochMilli);
    store.put(key(REMOVED, id.utf8()), longs(LongStream.concat(all, last).toArray()));
  }

  public void delete(ScheduleId id) {
    latest = Optional.empty();
    store.put(key(REMOVED, id.utf8()), null);
  }

  /**
   * Up to {@code limit} removed schedules, in ascending order of their ids, strictly after {@code
   * after} if given. One pass.
   */
  public List<Row> rowsAfter(Optional<ScheduleId> after, int limit) {
    List<Row> rows = new ArrayList<>();
    Bytes from =
        after
            .map(id -> AscendingReads.successor(key(REMOVED, id.utf8()).get()))
            .orElse(Bytes.wrap(REMOVED));
    try (KeyValueIterator<Bytes, byte[]> range = store.range(from, AFTER_REMOVED)) {
      while (rows.size() < limit && range.hasNext()) {
        KeyValue<Bytes, byte[]> next = range.next();
        byte[] key = next.key.get();
        byte[] id = Arrays.copyOfRange(key, REMOVED.length, key.length);
        rows.add(new Row(ScheduleId.ofUtf8(id), removed(next.value)));
      }
    }
    return rows;
  }

  /**
   * Bounds for all removed and forgotten schedules.
   *
   * @param writtenThrough inclusive: the timestamp of the last write of each is at most this
   * @param decidedThrough inclusive: no occurrence after this is decided
   */
  public record Forgotten(Instant writtenThrough, Instant decidedThrough) {

    /**
     * The bounds with one more forgotten schedule. An import may say that the years to come are
     * decided: that concerns its own id.
     */
    public Forgotten and(RemovedSchedule removed) {
      Instant ended = Instants.earlier(removed.decided().endedThrough(), removed.removedAt());
      return new Forgotten(
          Instants.later(writtenThrough, removed.writtenAt()),
          Instants.later(decidedThrough, ended));
    }

    /** The bounds after an outage in which deletes up to an instant may have been lost. */
    public static Forgotten through(Optional<Forgotten> known, Instant written) {
      return new Forgotten(
          Instants.later(known.map(Forgotten::writtenThrough).orElse(written), written),
          known.map(Forgotten::decidedThrough).orElse(Instant.EPOCH));
    }
  }

  /** Empty when nothing was forgotten yet. */
  public Optional<Forgotten> forgotten() {
    return forgotten;
  }

  private static Forgotten forgotten(byte[] value) {
    ByteBuffer in = open(value);
    return new Forgotten(StateBytes.instant(in), StateBytes.instant(in));
  }

  public void put(Forgotten bounds) {
    forgotten = Optional.of(bounds);
    store.put(
        FORGOTTEN,
        longs(bounds.writtenThrough().toEpochMilli(), bounds.decidedThrough().toEpochMilli()));
  }

  /** Empty when no record of the topic was taken yet. */
  public Optional<Taken> taken(String topic) {
    return Optional.ofNullable(store.get(takenKey(topic)))
        .map(StrayStore::open)
        .map(in -> new Taken(in.getLong(), StateBytes.instant(in)));
  }

  public void put(String topic, Taken taken) {
    store.put(takenKey(topic), longs(taken.offset(), taken.newest().toEpochMilli()));
  }

  private static byte[] longs(long... values) {
    ByteBuffer out = ByteBuffer.allocate(1 + values.length * Long.BYTES).put(VERSION);
    for (long value : values) {
      out.putLong(value);
    }
    return out.array();
  }

  private static RemovedSchedule removed(byte[] value) {
    ByteBuffer in = open(value);
    Instant writtenAt = StateBytes.instant(in);
    Instant removedAt = StateBytes.instant(in);
    long through = in.getLong();
    Instant endedThrough = StateBytes.instant(in);
    Optional<Instant> last =
        in.hasRemaining() ? Optional.of(StateBytes.instant(in)) : Optional.empty();
    return new RemovedSchedule(writtenAt, removedAt, through, new EarlierLives(endedThrough, last));
  }

  private static ByteBuffer open(byte[] bytes) {
    return StateBytes.open(bytes, VERSION);
  }

  private static Bytes takenKey(String topic) {
    return key(TAKEN, topic.getBytes(StandardCharsets.US_ASCII));
  }

  private static Bytes key(byte[] prefix, byte[] rest) {
    byte[] key = Arrays.copyOf(prefix, prefix.length + rest.length);
    System.arraycopy(rest, 0, key, prefix.length, rest.length);
    return Bytes.wrap(key);
  }
}
