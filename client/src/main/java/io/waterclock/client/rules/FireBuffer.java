package io.waterclock.client.rules;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The fires that a worker has read and not begun, and whose turn it is.
 *
 * <p>Each schedule has a lane: its fires have their turns one after another, in the order of the
 * topic. Among the lanes that could go on, the one whose first fire has the lowest priority number
 * is next, then the one whose fire was read first. A lane waits while its fire is between two
 * attempts, and, after a {@link Downtime}, while a newer fire may still come that replaces its
 * first one: until the partition is read up to where it ended at the takeover, or the buffer is
 * full.
 *
 * <p>Worked example: lane {@code a} holds 9:00, 10:00 and 11:00, all of the backlog and with {@code
 * COLLAPSE}; 9:00 is dropped when 10:00 is added, 10:00 when 11:00 is; 11:00 runs, standing for
 * two.
 *
 * <p>Adding and taking cost O(log lanes). Not thread-safe: one lock for a buffer, its sources and
 * works.
 *
 * @param <A> what a fire is carried with
 */
public final class FireBuffer<A> {
  private final Map<String, ScheduleLane<A>> lanes = new HashMap<>();
  private final ReadyLanes<A> ready;
  private final TreeSet<ScheduleLane<A>> delayed = new TreeSet<>(ScheduleLane.BY_TIME);
  private final int capacity;
  private long sequence;

  /**
   * @param capacity how many fires of one source may wait before it counts as full; at least 1
   */
  public FireBuffer(int capacity) {
    this(capacity, Map.of());
  }

  /**
   * The same with shares.
   *
   * @param shares of queues: how many fires of each may have their turn at a time, at least 1
   */
  public FireBuffer(int capacity, Map<String, Integer> shares) {
    this.capacity = capacity;
    this.ready = new ReadyLanes<>(shares);
  }

  /**
   * A fire that has lost its turn by the backlog rule.
   *
   * @param text for people
   */
  public record Left<A>(BufferedFire<A> work, DropReason reason, String text) {}

  /**
   * Takes a partition over.
   *
   * @param position the offset of the first record that will be read
   */
  public AssignedPartition<A> open(Backlog backlog, long position) {
    return new AssignedPartition<>(backlog, position, capacity);
  }

  /**
   * What of a partition was in hand when it was given back.
   *
   * @param running what has its turn or will still have it
   * @param begun what waited for another attempt that there will not be; it is forgotten
   */
  public record InHand<A>(List<BufferedFire<A>> running, List<BufferedFire<A>> begun) {}

  /**
   * Begins to give a partition back: what waits is forgotten, and whoever has the partition next
   * reads it again. What has its turn goes on, and so does what waits before it in the partition,
   * also for another attempt: else the offset would stay before both, and what is done would be
   * done again.
   *
   * @param until when it will be closed: attempts that would begin then or later are given up
   */
  public InHand<A> drain(AssignedPartition<A> source, Instant until) {
    return giveBack(source, source.lastTaken(), until);
  }

  /** Gives a partition back: nothing of it is started any more. What has its turn goes on. */
  public InHand<A> close(AssignedPartition<A> source) {
    return giveBack(source, -1, Instant.MIN);
  }

  /**
   * @param lastKept the highest offset, inclusive, of what may still have its turn
   */
  private InHand<A> giveBack(AssignedPartition<A> source, long lastKept, Instant until) {
    source.startUntil(until);
    InHand<A> inHand = new InHand<>(new ArrayList<>(), new ArrayList<>());
    for (Map.Entry<String, ScheduleLane<A>> entry : List.copyOf(lanes.entrySet())) {
      ScheduleLane<A> lane = entry.getValue();
      lane.turn().filter(work -> work.source() == source).ifPresent(inHand.running::add);
      if (!lane.queue().isEmpty() && lane.queue().getFirst().source() == source) {
        withdraw(lane);
        if (lane.isBetweenAttempts() && !source.startsAt(lane.notBefore())) {
          inHand.begun.add(lane.forgetFirst());
        }
        lane.queue().removeIf(work -> work.offset() > lastKept);
        lane.candidate(Optional.empty());
        inHand.running.addAll(lane.queue());
        place(entry.getKey(), lane);
      }
    }
    return inHand;
  }

  /**
   * A fire was read.
   *
   * @return what loses its turn by it: itself or an older one
   */
  public Optional<Left<A>> add(IncomingFire<A> incoming) {
    AssignedPartition<A> source = incoming.source();
    BufferedFire<A> work = new BufferedFire<>(incoming, sequence++);
    boolean wasHolding = source.isHolding();
    source.add(work);
    Optional<Left<A>> left =
        switch (source.fate(incoming.offset(), incoming.fire())) {
          case RUN -> {
            enqueue(work, false);
            yield Optional.empty();
          }
          case SKIP -> {
            source.taken();
            yield Optional.of(new Left<>(work, DropReason.SKIPPED, "older than grace"));
          }
          case COLLAPSE -> enqueue(work, true);
        };
    if (wasHolding && !source.isHolding()) {
      release(source);
    }
    return left;
  }

  /** Records up to here, exclusive, were read, whether or not they hold fires for this worker. */
  public void passed(AssignedPartition<A> source, long offset) {
    source.passed(offset);
    if (!source.isHolding()) {
      release(source);
    }
  }

  /** Gives the next fire its turn, if there is one whose lane can go on. */
  public Optional<BufferedFire<A>> take(Instant now) {
    while (!delayed.isEmpty() && !delayed.first().notBefore().isAfter(now)) {
      ready.add(delayed.pollFirst());
    }
    return ready.poll().map(FireBuffer::first);
  }

  private static <A> BufferedFire<A> first(ScheduleLane<A> lane) {
    BufferedFire<A> work = lane.take();
    work.source().taken();
    work.source().took(work.offset());
    return work;
  }

  /** When a lane that waits between two attempts can go on. */
  public Optional<Instant> nextAttempt() {
    return delayed.isEmpty() ? Optional.empty() : Optional.of(delayed.first().notBefore());
  }

  /**
   * The turn of this fire is over, for the time being: its lane goes on with it later.
   *
   * @param at before its source is closed
   */
  public void again(BufferedFire<A> work, Instant at) {
    ScheduleLane<A> lane = lane(work);
    lane.again(work, at);
    ready.turnOver(work);
    work.source().untaken();
    place(work.scheduleId(), lane);
    if (!work.source().isHolding()) {
      release(work.source());
    }
  }

  /** The turn of this fire is over, and its lane goes on. */
  public void end(BufferedFire<A> work) {
    work.end();
    ScheduleLane<A> lane = lane(work);
    lane.turnOver();
    ready.turnOver(work);
    place(work.scheduleId(), lane);
  }

  /** How many lanes could go on now. */
  public int ready() {
    return ready.size();
  }

  private Optional<Left<A>> enqueue(BufferedFire<A> work, boolean collapses) {
    ScheduleLane<A> lane = lanes.computeIfAbsent(work.scheduleId(), id -> new ScheduleLane<>());
    boolean wasEmpty = lane.queue().isEmpty();
    Optional<BufferedFire<A>> older = collapses ? lane.candidate() : Optional.empty();
    if (older.isPresent()) {
      withdraw(lane);
      lane.queue().remove(older.get());
      work.source().taken();
      work.standFor(older.get());
    }
    lane.queue().addLast(work);
    if (collapses) {
      lane.candidate(Optional.of(work));
    }
    if (wasEmpty || older.isPresent()) {
      place(work.scheduleId(), lane);
    }
    return older.map(
        replaced ->
            new Left<>(
                replaced,
                DropReason.COLLAPSED,
                "the fire for " + work.fire().getOccurrence() + " runs in its place"));
  }

  /** Takes a lane whose first fire may change out of the order. */
  private void withdraw(ScheduleLane<A> lane) {
    if (!lane.queue().isEmpty()) {
      ready.remove(lane);
      delayed.remove(lane);
      lane.queue().getFirst().source().holding().remove(lane);
    }
  }

  /** Puts a lane where it belongs, unless a fire of it has its turn. */
  private void place(String scheduleId, ScheduleLane<A> lane) {
    if (lane.turn().isPresent()) {
      return;
    }
    if (lane.queue().isEmpty()) {
      lanes.remove(scheduleId);
      return;
    }
    lane.rank();
    if (lane.isHeld()) {
      lane.queue().getFirst().source().holding().add(lane);
    } else if (lane.notBefore().equals(Instant.MIN)) {
      ready.add(lane);
    } else {
      delayed.add(lane);
    }
  }

  private void release(AssignedPartition<A> source) {
    if (!source.holding().isEmpty()) {
      List<ScheduleLane<A>> held = List.copyOf(source.holding());
      source.holding().clear();
      held.forEach(lane -> place(lane.queue().getFirst().scheduleId(), lane));
    }
  }

  private ScheduleLane<A> lane(BufferedFire<A> work) {
    ScheduleLane<A> lane = lanes.get(work.scheduleId());
    if (lane == null || lane.turn().filter(turn -> turn == work).isEmpty()) {
      throw new IllegalStateException(work.fire().getFireId() + " does not have its turn");
    }
    return lane;
  }
}
