package io.waterclock.topology.limiter;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waterclock.limits.Starts;
import io.waterclock.schemas.TargetRecord;
import io.waterclock.schemas.WaitingNote;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * What a task of the limiter keeps, by group:
 *
 * <pre>
 * w group priority due fire-key offset   a fire that waits, in the order in which they start
 * s group schedule-id | fire-key offset  the same by schedule: priority, due
 * r group fire-key                       a fire that runs: priority, until, time-out
 * l group                                when the latest fire of a limit with a rate started
 * x group schedule-id offset             fires of a schedule before the offset that are withdrawn
 * p group schedule-id                    the last withdrawal, for fires that come later from other groups
 * m group schedule-id                    the last move, for the same
 * a group                                the limit in force
 * d                                      the offset of the last limit that was refused
 * </pre>
 *
 * Numbers are big-endian with their sign flipped, so that bytes sort as they do. The offset keeps
 * fires with one key apart: a backfill repeats keys. Not thread-safe.
 */
final class LimiterStore {
  static final String NAME = "limiter";

  private static final int NUMBERS = Integer.BYTES + Long.BYTES;

  /** Inclusive. */
  private static final int MOST_PASSED = 1_000;

  private final KeyValueStore<Bytes, byte[]> store;

  LimiterStore(KeyValueStore<Bytes, byte[]> store) {
    this.store = store;
  }

  /** A fire that waits, as its order has it. Never compared. */
  @SuppressWarnings("ArrayRecordComponent")
  record Waiting(int priority, long due, byte[] fireKey, WaitingFire fire) {}

  /**
   * How much is read at a time.
   *
   * @param fires inclusive
   * @param bytes of their values; the fire that reaches them is the last
   */
  record Most(int fires, long bytes) {}

  /** Returns the key by which it is ordered. */
  Bytes put(String group, Waiting waiting) {
    Bytes key = waitingKey(group, waiting);
    store.put(key, waiting.fire().bytes());
    store.put(
        byScheduleKey(group, waiting),
        ByteBuffer.allocate(NUMBERS).putInt(waiting.priority()).putLong(waiting.due()).array());
    return key;
  }

  /** True if a fire waits with the same keys. */
  boolean contains(String group, Waiting waiting) {
    return store.get(byScheduleKey(group, waiting)) != null;
  }

  void remove(String group, Waiting waiting) {
    store.put(waitingKey(group, waiting), null);
    store.put(byScheduleKey(group, waiting), null);
  }

  /** Before all keys of fires that wait, with this priority or a higher number. */
  static Bytes first(String group, int priority) {
    return from(prefix('w', group), priority);
  }

  /**
   * The first fires that wait, in their order.
   *
   * @param from where they begin
   * @param through the highest number of a priority, inclusive
   */
  List<Waiting> first(String group, Bytes from, int through, Most most) {
    byte[] prefix = prefix('w', group);
    List<Waiting> found = new ArrayList<>();
    long bytes = 0;
    try (KeyValueIterator<Bytes, byte[]> all =
        store.range(from, through == Integer.MAX_VALUE ? end(prefix) : from(prefix, through + 1))) {
      while (found.size() < most.fires() && bytes < most.bytes() && all.hasNext()) {
        Waiting next = waiting(prefix.length, all.next());
        bytes += next.fire().value().length;
        found.add(next);
      }
    }
    return found;
  }

  private static Bytes from(byte[] prefix, int priority) {
    return Bytes.wrap(
        ByteBuffer.allocate(prefix.length + Integer.BYTES)
            .put(prefix)
            .putInt(sorted(priority))
            .array());
  }

  /**
   * Some of the fires that wait and that a withdrawal concerns.
   *
   * @param passed how many fires of the schedule were looked at
   * @param goesOn where the others begin; empty if there are none
   */
  record Concerned(List<Waiting> fires, int passed, Optional<Bytes> goesOn) {}

  /**
   * Fires that wait and that a withdrawal concerns, by their keys; passes {@link #MOST_PASSED} at
   * most.
   *
   * @param from where they begin; empty for all
   */
  Concerned concerned(String group, Withdrawn by, Optional<Bytes> from, Most most) {
    byte[] prefix = bySchedulePrefix(group, by.schedule());
    long beforeOffset = by.withdrawal().offset();
    List<Waiting> found = new ArrayList<>();
    long bytes = 0;
    int passed = 0;
    try (KeyValueIterator<Bytes, byte[]> all =
        store.range(from.orElse(Bytes.wrap(prefix)), end(prefix))) {
      while (all.hasNext()) {
        if (found.size() == most.fires() || bytes >= most.bytes() || passed == MOST_PASSED) {
          return new Concerned(found, passed, Optional.of(all.peekNextKey()));
        }
        KeyValue<Bytes, byte[]> next = all.next();
        passed++;
        byte[] end = Arrays.copyOfRange(next.key.get(), prefix.length, next.key.get().length);
        byte[] fireKey = withoutOffset(end);
        long offset = ByteBuffer.wrap(end).getLong(fireKey.length);
        if (offset < beforeOffset) {
          ByteBuffer numbers = ByteBuffer.wrap(next.value);
          int priority = numbers.getInt();
          long due = numbers.getLong();
          Bytes key = waitingKey(group, priority, due, fireKey, offset);
          WaitingFire fire = WaitingFire.of(store.get(key));
          bytes += fire.value().length;
          found.add(new Waiting(priority, due, fireKey, fire));
        }
      }
    }
    return new Concerned(found, passed, Optional.empty());
  }

  void putRunning(String group, Starts.Run run) {
    store.put(
        key('r', group, run.fireKey().getBytes(UTF_8)),
        ByteBuffer.allocate(NUMBERS + Long.BYTES)
            .putInt(run.priority())
            .putLong(run.until().toEpochMilli())
            .putLong(run.timeout().toMillis())
            .array());
  }

  void removeRunning(String group, String fireKey) {
    store.put(key('r', group, fireKey.getBytes(UTF_8)), null);
  }

  void putLatestStart(String group, Instant at) {
    store.put(
        key('l', group, new byte[0]),
        ByteBuffer.allocate(Long.BYTES).putLong(at.toEpochMilli()).array());
  }

  /** When the latest fire started before the store came to this task. */
  Optional<Instant> latestStart(String group) {
    return Optional.ofNullable(store.get(key('l', group, new byte[0])))
        .map(value -> Instant.ofEpochMilli(ByteBuffer.wrap(value).getLong()));
  }

  /** A withdrawal that is not carried out, with its key. Never compared. */
  @SuppressWarnings("ArrayRecordComponent")
  record Withdrawn(Bytes key, byte[] schedule, Withdrawal withdrawal) {}

  /**
   * From now on, fires of a schedule that came before an offset do not start as they are.
   *
   * @return false if it is there already
   */
  boolean putWithdrawn(Bytes key, Withdrawal withdrawal) {
    boolean isNew = store.get(key) == null;
    store.put(key, withdrawal.bytes());
    return isNew;
  }

  /** The key of a withdrawal. Those of a schedule ascend with their offsets. */
  static Bytes withdrawnKey(String group, byte[] schedule, Withdrawal withdrawal) {
    return key(
        'x',
        group,
        ByteBuffer.allocate(schedule.length + Long.BYTES)
            .put(schedule)
            .putLong(withdrawal.offset())
            .array());
  }

  void removeWithdrawn(Withdrawn withdrawn) {
    store.put(withdrawn.key(), null);
  }

  /** The first withdrawals from a key on; those of a schedule in the order of their offsets. */
  List<Withdrawn> withdrawn(String group, Bytes from, int most) {
    byte[] prefix = prefix('x', group);
    List<Withdrawn> found = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> all = store.range(from, end(prefix))) {
      while (found.size() < most && all.hasNext()) {
        KeyValue<Bytes, byte[]> next = all.next();
        byte[] key = next.key.get();
        byte[] schedule = withoutOffset(Arrays.copyOfRange(key, prefix.length, key.length));
        found.add(new Withdrawn(next.key, schedule, Withdrawal.of(next.value)));
      }
    }
    return found;
  }

  /** Passes the group of each withdrawal that is not carried out, with a key before all its own. */
  void eachWithdrawn(BiConsumer<String, Bytes> visitor) {
    each('x', (group, rest, value) -> visitor.accept(group, Bytes.wrap(prefix('x', group))));
  }

  /** Keeps a withdrawal or a move for fires that come later from another group. */
  void putPast(String group, byte[] schedule, Withdrawal withdrawal) {
    store.put(key(past(withdrawal), group, schedule), withdrawal.bytes());
  }

  private static char past(Withdrawal withdrawal) {
    return withdrawal.note() instanceof WaitingNote.Moved ? 'm' : 'p';
  }

  /** What has become of fires of a schedule that came to a group from another one. */
  Optional<Withdrawal> past(String group, byte[] schedule, Instant movedAt) {
    return Stream.of('p', 'm')
        .flatMap(kind -> Optional.ofNullable(store.get(key(kind, group, schedule))).stream())
        .map(Withdrawal::of)
        .filter(withdrawal -> withdrawal.concerns(movedAt))
        .findFirst();
  }

  /**
   * Forgets withdrawals and moves from before an instant, a slice at a time.
   *
   * @param from where the slice begins
   * @return where the next one begins; empty after the last
   */
  Optional<Bytes> forgetPast(Optional<Bytes> from, Instant before, int most) {
    List<Bytes> old = new ArrayList<>();
    Optional<Bytes> next = Optional.empty();
    try (KeyValueIterator<Bytes, byte[]> all =
        store.range(from.orElse(Bytes.wrap(new byte[] {'m'})), end(new byte[] {'p'}))) {
      for (int i = 0; i < most && all.hasNext(); i++) {
        KeyValue<Bytes, byte[]> each = all.next();
        if (Withdrawal.of(each.value).at().isBefore(before)) {
          old.add(each.key);
        }
      }
      if (all.hasNext()) {
        next = Optional.of(all.next().key);
      }
    }
    old.forEach(key -> store.put(key, null));
    return next;
  }

  void putLimit(String group, byte[] value) {
    store.put(key('a', group, new byte[0]), value);
  }

  void removeLimit(String group) {
    store.put(key('a', group, new byte[0]), null);
  }

  /** The limits that were in force, by group. */
  Map<String, byte[]> limits() {
    Map<String, byte[]> limits = new HashMap<>();
    each('a', (group, rest, value) -> limits.put(group, value));
    return limits;
  }

  void putRefused(long offset) {
    store.put(key('d', "", new byte[0]), ByteBuffer.allocate(Long.BYTES).putLong(offset).array());
  }

  /** The offset of the last refused limit that is in the dead-letter topic; -1 without one. */
  long refused() {
    byte[] offset = store.get(key('d', "", new byte[0]));
    return offset == null ? -1 : ByteBuffer.wrap(offset).getLong();
  }

  /** Passes each fire that runs with its group. */
  void eachRunning(BiConsumer<String, Starts.Run> visitor) {
    each(
        'r',
        (group, rest, value) -> {
          ByteBuffer numbers = ByteBuffer.wrap(value);
          int priority = numbers.getInt();
          visitor.accept(
              group,
              new Starts.Run(
                  new String(rest, UTF_8),
                  priority,
                  Instant.ofEpochMilli(numbers.getLong()),
                  Duration.ofMillis(numbers.getLong())));
        });
  }

  /** Passes the group of each fire that waits. Reads all of them: some microseconds for each. */
  void eachWaiting(Consumer<String> visitor) {
    each('s', (group, rest, value) -> visitor.accept(group));
  }

  private interface Visitor {
    void visit(String group, byte[] rest, byte[] value);
  }

  private void each(char kind, Visitor visitor) {
    byte[] prefix = {(byte) kind};
    try (KeyValueIterator<Bytes, byte[]> all = store.range(Bytes.wrap(prefix), end(prefix))) {
      while (all.hasNext()) {
        KeyValue<Bytes, byte[]> next = all.next();
        byte[] key = next.key.get();
        int rest = 2 + key[1];
        visitor.visit(
            new String(key, 2, key[1], UTF_8),
            Arrays.copyOfRange(key, rest, key.length),
            next.value);
      }
    }
  }

  private static Waiting waiting(int prefix, KeyValue<Bytes, byte[]> entry) {
    ByteBuffer key = ByteBuffer.wrap(entry.key.get());
    key.position(prefix);
    int priority = sorted(key.getInt());
    long due = key.getLong() ^ Long.MIN_VALUE;
    byte[] fireKey = new byte[key.remaining() - Long.BYTES];
    key.get(fireKey);
    return new Waiting(priority, due, fireKey, WaitingFire.of(entry.value));
  }

  /** The key by which a fire that waits is ordered. */
  static Bytes waitingKey(String group, Waiting waiting) {
    return waitingKey(
        group, waiting.priority(), waiting.due(), waiting.fireKey(), waiting.fire().offset());
  }

  private static Bytes waitingKey(
      String group, int priority, long due, byte[] fireKey, long offset) {
    return key(
        'w',
        group,
        ByteBuffer.allocate(NUMBERS + fireKey.length + Long.BYTES)
            .putInt(sorted(priority))
            .putLong(due ^ Long.MIN_VALUE)
            .put(fireKey)
            .putLong(offset)
            .array());
  }

  /** What precedes an offset. */
  private static byte[] withoutOffset(byte[] withOffset) {
    return Arrays.copyOf(withOffset, withOffset.length - Long.BYTES);
  }

  private static int sorted(int number) {
    return number ^ Integer.MIN_VALUE;
  }

  /** The key by which it is found for its schedule. */
  private static Bytes byScheduleKey(String group, Waiting waiting) {
    byte[] fireKey = waiting.fireKey();
    byte[] prefix = bySchedulePrefix(group, TargetRecord.scheduleId(fireKey));
    return Bytes.wrap(
        ByteBuffer.allocate(prefix.length + fireKey.length + Long.BYTES)
            .put(prefix)
            .put(fireKey)
            .putLong(waiting.fire().offset())
            .array());
  }

  /** An id contains no bar, so that none is the beginning of another. */
  private static byte[] bySchedulePrefix(String group, byte[] schedule) {
    byte[] prefix = prefix('s', group);
    return ByteBuffer.allocate(prefix.length + schedule.length + 1)
        .put(prefix)
        .put(schedule)
        .put((byte) '|')
        .array();
  }

  private static Bytes key(char kind, String group, byte[] rest) {
    byte[] prefix = prefix(kind, group);
    return Bytes.wrap(
        ByteBuffer.allocate(prefix.length + rest.length).put(prefix).put(rest).array());
  }

  /** A group has 64 characters of ASCII at most. */
  private static byte[] prefix(char kind, String group) {
    byte[] name = group.getBytes(UTF_8);
    return ByteBuffer.allocate(2 + name.length)
        .put((byte) kind)
        .put((byte) name.length)
        .put(name)
        .array();
  }

  /** Beyond all keys with the prefix; its last byte is one of ASCII. */
  private static Bytes end(byte[] prefix) {
    byte[] end = prefix.clone();
    end[end.length - 1]++;
    return Bytes.wrap(end);
  }
}
