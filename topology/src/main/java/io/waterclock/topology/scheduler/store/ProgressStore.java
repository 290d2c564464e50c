package io.waterclock.topology.scheduler.store;

import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.CarriedOccurrences;
import io.waterclock.decide.model.CommandState;
import io.waterclock.decide.model.ExportedStates;
import io.waterclock.decide.model.ManualFire;
import io.waterclock.decide.model.ReplacedRevision;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.decide.model.WaitingFires;
import io.waterclock.schemas.ScheduleId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The position of a partition, and the progress of the schedules out of step with it.
 *
 * <p>Keys: a zero byte for the position; the id for a progress record; the id, a zero byte and a
 * sequence number for each undecided replaced revision, for the summary of what commands have
 * ordered, for each waiting fire, and for each replaced revision by which such orders fire, so that
 * no value grows with the number of edits and commands; a zero byte, "dropped", a zero byte and the
 * id of a schedule that lost its queue entry; a zero byte and "withdrawn" for the time of the last
 * withdrawal. Ids contain no zero byte. {@link CalendarStore} has other keys in the same store.
 */
public final class ProgressStore {
  public static final String NAME = "progress";
  private static final Bytes POSITION = Bytes.wrap(new byte[] {0});
  private static final byte[] DROPPED = "\0dropped\0".getBytes(StandardCharsets.US_ASCII);
  private static final Bytes AFTER_DROPPED =
      Bytes.wrap("\0dropped\1".getBytes(StandardCharsets.US_ASCII));

  private static final Bytes WITHDRAWN =
      Bytes.wrap("\0withdrawn".getBytes(StandardCharsets.US_ASCII));

  /** The largest number of remembered dropped entries, of about 40 bytes each. */
  static final int MOST_DROPPED = 100_000;

  /** Inclusive: behind more parts of a schedule a search is cheaper than to read them. */
  private static final int MOST_PARTS_PASSED = 8;

  /** The first number of commanded fires, so that they sort after the replaced revisions. */
  private static final long FIRST_FIRE = 1L << 62;

  /** The number of their summary. */
  private static final long ORDERS = FIRST_FIRE - 1;

  /** The first number of the revisions by which what was ordered fires. */
  private static final long FIRST_UNDER = FIRST_FIRE + (1L << 61);

  private final KeyValueStore<Bytes, byte[]> store;
  private final StateCodec codec = new StateCodec();
  private int dropped;

  /**
   * False while no schedule has a row: then a look-up, which mostly finds nothing, is not needed.
   */
  private boolean mayHaveRows;

  public ProgressStore(KeyValueStore<Bytes, byte[]> store) {
    this.store = store;
    this.mayHaveRows = !idsAfter(Optional.empty(), 1).isEmpty();
    try (KeyValueIterator<Bytes, byte[]> range = store.range(Bytes.wrap(DROPPED), AFTER_DROPPED)) {
      range.forEachRemaining(row -> dropped++);
    }
  }

  /**
   * Remembers that a schedule in step lost its queue entry, since its definition was missing:
   * nothing due from then on is decided, even below the position. An earlier entry stays unchanged.
   *
   * @param dueMs of the first undecided occurrence, epoch milliseconds
   * @return false when too many are remembered already
   */
  public boolean putDropped(byte[] id, long dueMs) {
    if (dropped(id).isPresent()) {
      return true;
    }
    if (dropped >= MOST_DROPPED) {
      return false;
    }
    store.put(droppedKey(id), codec.encode(dueMs));
    dropped++;
    return true;
  }

  /** The due instant from which nothing is decided of a schedule that lost its queue entry. */
  public OptionalLong dropped(byte[] id) {
    if (dropped == 0) {
      return OptionalLong.empty();
    }
    byte[] value = store.get(droppedKey(id));
    return value == null ? OptionalLong.empty() : OptionalLong.of(codec.decodeNumber(value));
  }

  /**
   * Forgets a dropped entry: the schedule has a queue entry or a progress record again, or is
   * removed.
   *
   * @return false when nothing was remembered; then nothing is written
   */
  public boolean forgetDropped(byte[] id) {
    if (dropped(id).isEmpty()) {
      return false;
    }
    store.put(droppedKey(id), null);
    dropped--;
    return true;
  }

  private static Bytes droppedKey(byte[] id) {
    return Bytes.wrap(ByteBuffer.allocate(DROPPED.length + id.length).put(DROPPED).put(id).array());
  }

  /** Empty in a partition that has never ticked. */
  public Optional<StoredPosition> position() {
    return Optional.ofNullable(store.get(POSITION)).map(codec::decodePosition);
  }

  public void putPosition(Position position, long clockMs) {
    store.put(POSITION, codec.encode(position, clockMs));
  }

  /** The latest time of a withdrawal of fires that wait for a limit. */
  public Optional<Instant> withdrawnAt() {
    return Optional.ofNullable(store.get(WITHDRAWN))
        .map(codec::decodeNumber)
        .map(Instant::ofEpochMilli);
  }

  /** Fires that wait for a limit have been withdrawn; another withdrawal may be later. */
  public void putWithdrawnAt(Instant at) {
    if (withdrawnAt().filter(latest -> !latest.isBefore(at)).isEmpty()) {
      store.put(WITHDRAWN, codec.encode(at.toEpochMilli()));
    }
  }

  /** The state of a schedule out of step; empty when it is in step. */
  public Optional<ScheduleState> get(ScheduleId id, StoredSchedule stored) {
    byte[] value = row(id.utf8());
    if (value == null) {
      return Optional.empty();
    }
    StoredProgress progress = codec.decodeProgress(value);
    List<CarriedOccurrences> carried = new ArrayList<>();
    List<ReplacedRevision> older = new ArrayList<>();
    if (progress.hasParts()) {
      for (KeyValue<Long, byte[]> part : parts(id.utf8())) {
        if (StateCodec.isOlder(part.value)) {
          older.add(codec.decodeOlder(part.key, part.value));
        } else {
          carried.add(codec.decodeCarried(part.key, part.value));
        }
      }
    }
    ScheduleState whole = ExportedStates.state(id, stored.accepted(), progress.record());
    return Optional.of(
        new ScheduleState(
            id,
            stored.accepted(),
            whole.decidedThrough(),
            List.copyOf(carried),
            List.copyOf(older),
            whole.replayThrough(),
            progress.fault(),
            stored.completedAt(),
            progress.hasParts() ? orders(id.utf8()).addedTo(whole.commanded()) : whole.commanded(),
            whole.runs()));
  }

  /** The summary of what was ordered. Layouts before the fifth had none, and count no bytes. */
  private StoredOrders orders(byte[] id) {
    byte[] summary = store.get(partKey(id, ORDERS));
    if (summary != null) {
      return codec.decodeOrders(summary);
    }
    try (KeyValueIterator<Bytes, byte[]> range =
        store.range(partKey(id, FIRST_FIRE), partKey(id, FIRST_UNDER - 1))) {
      List<Long> numbers = new ArrayList<>();
      range.forEachRemaining(row -> numbers.add(seq(id, row.key) - FIRST_FIRE));
      return new StoredOrders(
          numbers.isEmpty()
              ? WaitingFires.NONE
              : new WaitingFires(
                  numbers.get(0), numbers.get(numbers.size() - 1) + 1, 0, 0, List.of()),
          List.of());
    }
  }

  /**
   * The oldest waiting fires of a schedule, read one by one.
   *
   * @param most how many; 1 or more
   * @param enough how many bytes they may take when they fire; the last one may take more
   */
  public List<ManualFire> fires(ScheduleState state, int most, long enough) {
    byte[] id = state.id().utf8();
    WaitingFires waiting = state.commanded().fires();
    List<ManualFire> fires = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> range =
        store.range(
            partKey(id, FIRST_FIRE + waiting.first()),
            partKey(id, FIRST_FIRE + waiting.next() - 1))) {
      long bytes = 0;
      Optional<ReplacedRevision> under = Optional.empty();
      while (fires.size() < most && bytes < enough && range.hasNext()) {
        KeyValue<Bytes, byte[]> next = range.next();
        long number = seq(id, next.key) - FIRST_FIRE;
        if (number >= waiting.replacedBefore()) {
          under = Optional.empty();
        } else if (under.filter(known -> number <= known.seq()).isEmpty()) {
          under = Optional.of(replaced(id, number, waiting.replacedBefore() - 1));
        }
        ManualFire fire =
            codec.decodeFire(number, next.value).under(under.map(ReplacedRevision::accepted));
        bytes += fire.size(state.current());
        fires.add(fire);
      }
    }
    return fires;
  }

  /** The replaced revision by which the oldest backfill fires; empty for the one in force. */
  public Optional<Accepted> underOfBackfill(ScheduleState state) {
    OptionalLong under = state.commanded().backfills().get(0).under();
    return under.isEmpty()
        ? Optional.empty()
        : Optional.of(replaced(state.id().utf8(), under.getAsLong(), under.getAsLong()).accepted());
  }

  /** The first replaced revision with a number in a range, both inclusive. */
  private ReplacedRevision replaced(byte[] id, long from, long through) {
    try (KeyValueIterator<Bytes, byte[]> range =
        store.range(partKey(id, FIRST_UNDER + from), partKey(id, FIRST_UNDER + through))) {
      KeyValue<Bytes, byte[]> first = range.next();
      return codec.decodeOlder(seq(id, first.key) - FIRST_UNDER, first.value);
    }
  }

  /**
   * The state with all its waiting fires in memory, for exports: those of replaced revisions are by
   * the one in force, as an export has no others.
   */
  public ScheduleState whole(ScheduleState state) {
    WaitingFires waiting = state.commanded().fires();
    if (waiting.isEmpty()) {
      return state;
    }
    List<ManualFire> fires =
        fires(state, waiting.size(), Long.MAX_VALUE).stream()
            .map(fire -> fire.under(Optional.empty()))
            .toList();
    return state.with(state.commanded().withFires(WaitingFires.of(fires, state.current())));
  }

  /**
   * Stores the progress of a schedule out of step. Costs a write for each new replaced revision and
   * each new commanded fire, and a delete for each one that is gone.
   */
  public void put(ScheduleState state) {
    byte[] id = state.id().utf8();
    StoredProgress progress = StoredProgress.of(state);
    if (progress.hasParts() || hadParts(id)) {
      putParts(id, state);
    }
    mayHaveRows = true;
    store.put(Bytes.wrap(id), codec.encode(progress));
  }

  /**
   * Removes the progress of a schedule that is in step again, or removed.
   *
   * @return false when it has none; then nothing is written
   */
  public boolean delete(byte[] id) {
    byte[] value = row(id);
    if (value == null) {
      return false;
    }
    if (codec.hasParts(value)) {
      putOrders(id, CommandState.NONE);
      for (KeyValue<Long, byte[]> part : parts(id)) {
        store.put(partKey(id, part.key), null);
      }
    }
    store.put(Bytes.wrap(id), null);
    return true;
  }

  /** True when the schedule has a progress record. */
  public boolean contains(byte[] id) {
    return row(id) != null;
  }

  private byte @Nullable [] row(byte[] id) {
    return mayHaveRows ? store.get(Bytes.wrap(id)) : null;
  }

  /** The schedules out of step among those from {@code first} to {@code last}, both inclusive. */
  public Set<ScheduleId> idsWithin(ScheduleId first, ScheduleId last) {
    Bytes through = Bytes.wrap(last.utf8());
    return new HashSet<>(ids(Bytes.wrap(first.utf8()), through, Integer.MAX_VALUE));
  }

  /** Up to {@code limit} schedules out of step in ascending order, after {@code after} if given. */
  public List<ScheduleId> idsAfter(Optional<ScheduleId> after, int limit) {
    Bytes from =
        after
            .map(id -> AscendingReads.successor(id.utf8()))
            .orElseGet(() -> Bytes.wrap(new byte[] {1}));
    return ids(from, AscendingReads.END, limit);
  }

  private List<ScheduleId> ids(Bytes from, Bytes to, int limit) {
    List<ScheduleId> ids = new ArrayList<>();
    Optional<Bytes> rest = Optional.of(from);
    while (rest.isPresent()) {
      rest = addIds(rest.get(), to, limit, ids);
    }
    return ids;
  }

  /**
   * Adds ids until a schedule has more than a few parts, which may be megabytes each.
   *
   * @return the first key after those parts; empty when nothing is left to add
   */
  private Optional<Bytes> addIds(Bytes from, Bytes to, int limit, List<ScheduleId> ids) {
    int passed = 0;
    try (KeyValueIterator<Bytes, byte[]> range = store.range(from, to)) {
      while (ids.size() < limit && range.hasNext()) {
        byte[] key = range.next().key.get();
        if (!isPartKey(key)) {
          ids.add(ScheduleId.ofUtf8(key));
          passed = 0;
        } else if (++passed > MOST_PARTS_PASSED) {
          return Optional.of(afterParts(key));
        }
      }
    }
    return Optional.empty();
  }

  private static Bytes afterParts(byte[] partKey) {
    byte[] key = Arrays.copyOf(partKey, partKey.length - Long.BYTES);
    key[key.length - 1] = 1;
    return Bytes.wrap(key);
  }

  /** The schedules that lost their queue entry: at most {@link #MOST_DROPPED}. */
  public List<ScheduleId> droppedIds() {
    List<ScheduleId> ids = new ArrayList<>();
    if (dropped > 0) {
      try (KeyValueIterator<Bytes, byte[]> range =
          store.range(Bytes.wrap(DROPPED), AFTER_DROPPED)) {
        range.forEachRemaining(
            row -> {
              byte[] key = row.key.get();
              ids.add(ScheduleId.ofUtf8(Arrays.copyOfRange(key, DROPPED.length, key.length)));
            });
      }
    }
    return ids;
  }

  private static boolean isPartKey(byte[] key) {
    int zero = key.length - 1 - Long.BYTES;
    return zero > 0 && key[zero] == 0;
  }

  private void putParts(byte[] id, ScheduleState state) {
    Set<Long> stored = new HashSet<>();
    Set<Long> carriedBefore = new HashSet<>();
    for (KeyValue<Long, byte[]> part : parts(id)) {
      stored.add(part.key);
      if (!StateCodec.isOlder(part.value)) {
        carriedBefore.add(part.key);
      }
    }
    Set<Long> kept = new HashSet<>();
    for (CarriedOccurrences carried : state.carried()) {
      kept.add(carried.seq());
      if (!carriedBefore.contains(carried.seq())) {
        store.put(partKey(id, carried.seq()), codec.encode(carried));
      }
    }
    for (ReplacedRevision older : state.older()) {
      kept.add(older.seq());
      if (!stored.contains(older.seq())) {
        store.put(partKey(id, older.seq()), codec.encode(older));
      }
    }
    stored.removeAll(kept);
    stored.forEach(seq -> store.put(partKey(id, seq), null));
    putOrders(id, state.commanded());
  }

  private void putOrders(byte[] id, CommandState commanded) {
    StoredOrders before = orders(id);
    StoredOrders now = StoredOrders.of(commanded);
    deleteGone(id, before, now);
    for (ManualFire fire : now.fires().added()) {
      store.put(partKey(id, FIRST_FIRE + fire.seq()), codec.encode(fire));
    }
    for (ReplacedRevision replaced : commanded.under()) {
      store.put(partKey(id, FIRST_UNDER + replaced.seq()), codec.encode(replaced));
    }
    if (!now.isEmpty()) {
      store.put(partKey(id, ORDERS), codec.encode(now));
    } else if (!before.isEmpty()) {
      store.put(partKey(id, ORDERS), null);
    }
  }

  /** Deletes fires that are out, and replaced revisions by which nothing more fires. */
  private void deleteGone(byte[] id, StoredOrders before, StoredOrders now) {
    WaitingFires stored = before.fires();
    WaitingFires fires = now.fires();
    long first = fires.isEmpty() ? stored.next() : fires.first();
    deleteFires(id, stored.first(), Math.min(stored.next(), first));
    deleteFires(id, Math.max(stored.first(), fires.next()), stored.next());
    if (stored.first() < Math.min(first, stored.replacedBefore())) {
      deleteUnder(id, stored.first(), first - 1);
    }
    before.backfills().stream()
        .filter(under -> under.isPresent() && !now.backfills().contains(under))
        .distinct()
        .forEach(under -> store.put(partKey(id, FIRST_UNDER + under.getAsLong()), null));
  }

  private void deleteUnder(byte[] id, long from, long through) {
    try (KeyValueIterator<Bytes, byte[]> range =
        store.range(partKey(id, FIRST_UNDER + from), partKey(id, FIRST_UNDER + through))) {
      List<Bytes> gone = new ArrayList<>();
      range.forEachRemaining(row -> gone.add(row.key));
      gone.forEach(key -> store.put(key, null));
    }
  }

  private void deleteFires(byte[] id, long from, long to) {
    for (long seq = from; seq < to; seq++) {
      store.put(partKey(id, FIRST_FIRE + seq), null);
    }
  }

  private boolean hadParts(byte[] id) {
    byte[] value = row(id);
    return value != null && codec.hasParts(value);
  }

  /** What is stored of replaced revisions. */
  private List<KeyValue<Long, byte[]>> parts(byte[] id) {
    List<KeyValue<Long, byte[]>> result = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> range =
        store.range(partKey(id, 0), partKey(id, ORDERS - 1))) {
      while (range.hasNext()) {
        KeyValue<Bytes, byte[]> next = range.next();
        result.add(KeyValue.pair(seq(id, next.key), next.value));
      }
    }
    return result;
  }

  private static long seq(byte[] id, Bytes partKey) {
    return ByteBuffer.wrap(partKey.get(), id.length + 1, Long.BYTES).getLong();
  }

  /** The length in bytes of a schedule's longest key here. */
  static int longestKey(ScheduleId id) {
    return partKey(id.utf8(), 0).get().length;
  }

  private static Bytes partKey(byte[] id, long seq) {
    byte[] key = Arrays.copyOf(id, id.length + 1 + Long.BYTES);
    ByteBuffer.wrap(key).putLong(id.length + 1, seq);
    return Bytes.wrap(key);
  }
}
