package io.waterclock.topology.scheduler.admit;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.apply.Effect;
import io.waterclock.topology.scheduler.context.Gate;
import io.waterclock.topology.scheduler.input.Inbound;
import io.waterclock.topology.scheduler.input.InboundBytes;
import io.waterclock.topology.scheduler.store.HeldRecordStore;
import io.waterclock.topology.scheduler.store.HeldRecordStore.Until;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Commands for unknown schedules. Each waits until the task has read the schedules topic up to its
 * present end, because the schedule may be on its way. The commands are in the store, so a restart
 * forgets none; memory holds only their numbers. A stray that this task has sent to the topic
 * counts as if it were there already.
 *
 * <p>One request for the end of the topic serves all commands that came since the request before.
 *
 * <p>This task cannot see a stray that another task has not read yet. With more than one partition,
 * a command therefore waits a while longer: even longer once strays have come.
 */
final class WaitingCommands {
  /** Bounds the memory of those that are taken at once. */
  private static final long ENOUGH_BYTES = 4L << 20;

  private static final int MOST_RECORDS_OF_A_SCHEDULE = 10_000;
  private static final long MOST_BYTES_OF_A_SCHEDULE = 16L << 20;

  /** Covers the loss of another instance, and the way from task to task. */
  private static final Duration FOR_STRAYS = Duration.ofSeconds(10);

  /** Generous for the way from task to task while all instances are up. */
  private static final Duration FOR_A_FIRST_STRAY = Duration.ofSeconds(2);

  private final HeldRecordStore store;
  private final Gate gate;
  private final Predicate<ScheduleId> isOnItsWay;
  private final Supplier<Duration> patience;
  private final Map<ScheduleId, Queue> waiting = new HashMap<>();
  private final Room room;

  /** The first command of each schedule, by number: in order of arrival. */
  private final NavigableMap<Long, Turn> firsts = new TreeMap<>();

  private Optional<Marked> marked = Optional.empty();
  private long nextSeq;

  /**
   * @param through inclusive: the last command that waits for the mark
   */
  private record Marked(Gate.Mark mark, long through) {}

  /** A command that waits, since the task read it or since the assignment of the task. */
  private record Turn(ScheduleId id, long seq, Instant since, int size) {}

  private static final class Queue {
    private final Deque<Turn> turns = new ArrayDeque<>(1);
    private final Room room = new Room(MOST_RECORDS_OF_A_SCHEDULE, MOST_BYTES_OF_A_SCHEDULE);
  }

  /**
   * @param isOnItsWay true while a definition of the schedule may be held, or is a stray that this
   *     task has sent
   * @param patience how long a command waits at least, see {@link #patience(boolean, boolean)}
   */
  WaitingCommands(
      HeldRecordStore store,
      Room room,
      Gate gate,
      Predicate<ScheduleId> isOnItsWay,
      Supplier<Duration> patience,
      Instant now) {
    this.store = store;
    this.room = room;
    this.gate = gate;
    this.isOnItsWay = isOnItsWay;
    this.patience = patience;
    for (long seq : store.seqs()) {
      byte[] record = store.record(seq);
      Inbound inbound = InboundBytes.decode(record);
      remember(ScheduleId.parse(inbound.key().orElseThrow()), seq, now, record.length);
    }
  }

  /** Ends with its task. */
  void leave() {
    room.leave();
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  boolean contains(ScheduleId id) {
    return !waiting.isEmpty() && waiting.containsKey(id);
  }

  /**
   * Has a command wait.
   *
   * @return what stores it; empty when there is no room
   */
  Optional<Effect> add(ScheduleId id, Inbound inbound, Instant now) {
    byte[] record = InboundBytes.encode(inbound);
    if (full(id, record.length).isPresent()) {
      return Optional.empty();
    }
    long seq = nextSeq;
    remember(id, seq, now, record.length);
    return Optional.of(new Effect.Hold(Until.SCHEDULE, new HeldRecordStore.Row(seq, record)));
  }

  /** Which commands leave no room for this one; empty when there is room. */
  Optional<String> full(ScheduleId id, Inbound inbound) {
    return full(id, InboundBytes.encode(inbound).length);
  }

  private Optional<String> full(ScheduleId id, int size) {
    return room.full(size, "commands of this partition")
        .or(
            () ->
                Optional.ofNullable(waiting.get(id))
                    .flatMap(queue -> queue.room.full(size, "commands of this schedule")));
  }

  /** Removes all commands that wait for a schedule, and returns them in order of arrival. */
  List<Released> take(ScheduleId id) {
    List<Released> all = new ArrayList<>();
    for (Queue queue = waiting.get(id); queue != null && !queue.turns.isEmpty(); ) {
      all.add(release(queue.turns.getFirst()));
    }
    return all;
  }

  /**
   * Removes the first commands that wait for a schedule and would not have waited until its
   * definition was written, had the scheduler read each when it was written.
   *
   * @param defined the timestamp of the definition
   */
  List<Released> takeOlder(ScheduleId id, Instant defined) {
    Instant through = defined.minus(patience.get());
    List<Released> older = new ArrayList<>();
    for (Queue queue = waiting.get(id); queue != null && !queue.turns.isEmpty(); ) {
      Turn first = queue.turns.getFirst();
      if (!InboundBytes.decode(store.record(first.seq())).timestamp().isBefore(through)) {
        return older;
      }
      older.add(release(first));
    }
    return older;
  }

  /** True when what has waited since then has waited long enough. */
  boolean isOver(Instant since, Instant now) {
    return !since.isAfter(now.minus(patience.get()));
  }

  /**
   * Removes commands that have waited long enough, and returns them in order of arrival; fewer when
   * they are large. Those whose schedule is on its way stay, so that they come before what waits
   * behind its definition.
   *
   * @param most at a time
   */
  List<Released> takeDue(Instant now, int most) {
    if (firsts.values().stream().map(Turn::id).allMatch(isOnItsWay)) {
      marked = Optional.empty();
      return List.of();
    }
    if (marked.isEmpty()) {
      marked = Optional.of(new Marked(gate.mark(), nextSeq - 1));
    }
    Marked current = marked.get();
    if (!current.mark().isPassed()) {
      return List.of();
    }
    List<Released> due = new ArrayList<>();
    long bytes = 0;
    for (Map.Entry<Long, Turn> next = firsts.firstEntry();
        next != null && due.size() < most && bytes < ENOUGH_BYTES;
        next = firsts.higherEntry(next.getKey())) {
      Turn turn = next.getValue();
      if (isOnItsWay.test(turn.id())) {
        continue;
      }
      if (turn.seq() > current.through() || !isOver(turn.since(), now)) {
        break;
      }
      bytes += turn.size();
      due.add(release(turn));
    }
    if (due.size() < most && bytes < ENOUGH_BYTES) {
      marked = Optional.empty();
    }
    return due;
  }

  /**
   * How long a command waits at least.
   *
   * @param mayStray true when there are other tasks
   * @param straysCome true once a stray has come from one of them
   */
  static Duration patience(boolean mayStray, boolean straysCome) {
    if (!mayStray) {
      return Duration.ZERO;
    }
    return straysCome ? FOR_STRAYS : FOR_A_FIRST_STRAY;
  }

  private void remember(ScheduleId id, long seq, Instant now, int size) {
    Turn turn = new Turn(id, seq, now, size);
    Queue queue = waiting.computeIfAbsent(id, unknown -> new Queue());
    if (queue.turns.isEmpty()) {
      firsts.put(seq, turn);
    }
    queue.turns.addLast(turn);
    queue.room.take(id, size);
    room.take(id, size);
    nextSeq = seq + 1;
  }

  /**
   * Removes the first command of its schedule. The next one, if there is one, keeps its place in
   * the order of arrival.
   */
  private Released release(Turn first) {
    firsts.remove(first.seq());
    Queue queue = Objects.requireNonNull(waiting.get(first.id()));
    queue.turns.removeFirst();
    queue.room.free(first.id(), first.size());
    room.free(first.id(), first.size());
    if (queue.turns.isEmpty()) {
      waiting.remove(first.id());
    } else {
      firsts.put(queue.turns.getFirst().seq(), queue.turns.getFirst());
    }
    Inbound inbound = InboundBytes.decode(store.record(first.seq()));
    return new Released(inbound, new Effect.Release(Until.SCHEDULE, first.seq(), first.size()));
  }
}
