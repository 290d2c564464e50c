package io.waterclock.client.rules;

import io.waterclock.schemas.avro.Fire;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The fires that a worker has read and not started, and the order of their turns.
 *
 * <p>Each schedule has a lane: its fires run one after another, in the order of the topic. Among
 * the lanes that can continue, the one whose first fire has the lowest priority number is next,
 * then the one whose fire was read first. A lane waits while its fire is between two attempts.
 * After a {@link Downtime} it also waits while the worker may still read a newer fire that replaces
 * its first one: until the worker has read the partition up to its end at the takeover, or the
 * buffer is full.
 *
 * <p>Worked example: lane {@code a} holds 9:00, 10:00 and 11:00, all of the backlog and with {@code
 * COLLAPSE}; The buffer drops 9:00 when it adds 10:00, and 10:00 when it adds 11:00; 11:00 runs and
 * stands for two others.
 *
 * <p>Adding and taking cost O(log lanes). Not thread-safe: one lock guards a buffer, its partitions
 * and its fires.
 *
 * @param <A> the type of the object that the worker attaches to a fire
 */
public final class FireBuffer<A> {
  private final Map<String, ScheduleLane<A>> lanes = new HashMap<>();
  private final ReadyLanes<A> ready;
  private final TreeSet<ScheduleLane<A>> delayed = new TreeSet<>(ScheduleLane.BY_TIME);

  /** The lanes that wait for newer fires of a partition. */
  private final Map<AssignedPartition, Set<ScheduleLane<A>>> held = new HashMap<>();

  private final int capacity;
  private final Function<Fire, String> laneOf;
  private long sequence;

  /**
   * @param capacity how many fires of one partition may wait before it counts as full; at least 1
   * @param shares for each queue with a share, how many of its fires may run at a time, at least 1
   * @param laneOf names the lane of a fire: the fires of a lane run one after another
   */
  public FireBuffer(int capacity, Map<String, Integer> shares, Function<Fire, String> laneOf) {
    this.capacity = capacity;
    this.laneOf = laneOf;
    this.ready = new ReadyLanes<>(shares);
  }

  /**
   * Takes a partition over.
   *
   * @param position the offset of the first record that will be read
   */
  public AssignedPartition open(Backlog backlog, long position) {
    return new AssignedPartition(backlog, position, capacity);
  }

  /**
   * The fires that the worker held when it handed a partition back.
   *
   * @param running the fires that run or will still run
   * @param begun the fires that waited for a retry; the buffer has forgotten them
   */
  public record InHand<A>(List<BufferedFire<A>> running, List<BufferedFire<A>> begun) {}

  /**
   * Begins to hand a partition back. The buffer forgets waiting fires; the partition's next owner
   * reads them again. Running fires continue, and so do fires that wait before them in the
   * partition, also for a retry: otherwise the committed offset would stay before both, and the
   * next owner would repeat finished runs. None runs behind a forgotten one of its lane and
   * partition.
   *
   * @param until when the worker closes the partition: the buffer gives up attempts that would
   *     begin at or after it
   */
  public InHand<A> drain(AssignedPartition source, Instant until) {
    return giveBack(source, source.lastTaken(), until);
  }

  /**
   * Hands a partition back: the worker starts none of its fires any more. Running fires continue.
   */
  public InHand<A> close(AssignedPartition source) {
    return giveBack(source, -1, Instant.MIN);
  }

  /**
   * A lane may have fires of several partitions: fires beside retries, or those of a schedule that
   * has moved to a partition which the topic has got. Those of the others stay.
   *
   * @param lastKept the highest offset, inclusive, of a fire that may still run
   */
  private InHand<A> giveBack(AssignedPartition source, long lastKept, Instant until) {
    source.startUntil(until);
    InHand<A> inHand = new InHand<>(new ArrayList<>(), new ArrayList<>());
    for (Map.Entry<String, ScheduleLane<A>> entry : List.copyOf(lanes.entrySet())) {
      ScheduleLane<A> lane = entry.getValue();
      lane.turn().filter(work -> work.source() == source).ifPresent(inHand.running::add);
      if (lane.waiting(source).findAny().isPresent()) {
        withdraw(lane);
        if (lane.isBetweenAttempts() && !source.startsAt(lane.notBefore())) {
          if (lane.queue().getFirst().source() == source) {
            inHand.begun.add(lane.forgetFirst());
          }
          lane.forget(source); // what is behind an attempt that does not begin before
        }
        lane.queue().removeIf(work -> work.source() == source && work.offset() > lastKept);
        lane.candidate(lane.candidate().filter(work -> work.source() != source));
        lane.waiting(source).forEach(inHand.running::add);
        place(entry.getKey(), lane);
      }
    }
    return inHand;
  }

  /**
   * Adds a fire that the worker has read.
   *
   * @return the fire that does not run because of it: itself or an older one
   */
  public Optional<Turn.Drop<A>> add(BufferedFire<A> work) {
    AssignedPartition source = work.source();
    work.arrive(sequence++, laneOf.apply(work.fire()));
    boolean wasHolding = source.isHolding();
    source.add(work.mark(), work.bytes());
    Optional<Turn.Drop<A>> left =
        switch (source.fate(work.offset(), work.fire())) {
          case RUN -> {
            enqueue(work, false);
            yield Optional.empty();
          }
          case SKIP -> {
            source.taken(work.bytes());
            yield Optional.of(new Turn.Drop<>(work, DropReason.SKIPPED, "older than grace"));
          }
          case COLLAPSE -> enqueue(work, true);
        };
    if (wasHolding && !source.isHolding()) {
      release(source);
    }
    return left;
  }

  /**
   * The worker has read the records up to this offset, exclusive, whether or not they contain fires
   * for it.
   */
  public void passed(AssignedPartition source, long offset) {
    source.passed(offset);
    if (!source.isHolding()) {
      release(source);
    }
  }

  /** Starts the turn of the next fire whose lane can continue. */
  public Optional<BufferedFire<A>> take(Instant now) {
    while (!delayed.isEmpty() && !delayed.first().notBefore().isAfter(now)) {
      ready.add(delayed.pollFirst());
    }
    return ready.poll().map(FireBuffer::first);
  }

  private static <A> BufferedFire<A> first(ScheduleLane<A> lane) {
    BufferedFire<A> work = lane.take();
    work.source().taken(work.bytes());
    work.source().took(work.offset());
    return work;
  }

  /** When the first lane that waits for a retry can continue. */
  public Optional<Instant> nextAttempt() {
    return delayed.isEmpty() ? Optional.empty() : Optional.of(delayed.first().notBefore());
  }

  /**
   * Ends the turn of this fire for now: its lane continues with it later.
   *
   * @param at an instant before its partition is closed
   */
  public void again(BufferedFire<A> work, Instant at) {
    ScheduleLane<A> lane = lane(work);
    lane.again(work, at);
    ready.turnOver(work);
    work.source().untaken(work.bytes());
    place(work.lane(), lane);
    if (!work.source().isHolding()) {
      release(work.source());
    }
  }

  /** Ends the turn of this fire, and its lane continues. */
  public void end(BufferedFire<A> work) {
    work.end();
    ScheduleLane<A> lane = lane(work);
    lane.turnOver();
    ready.turnOver(work);
    place(work.lane(), lane);
  }

  /**
   * Ends the turn of this fire, which the next owner of its partition runs again. The buffer
   * forgets the fires behind it: the next owner runs them after it.
   */
  public void handBack(BufferedFire<A> work) {
    lane(work).forget(work.source());
    end(work);
  }

  /** How many fires wait for their turn. O(lanes). */
  public int waiting() {
    return lanes.values().stream().mapToInt(lane -> lane.queue().size()).sum();
  }

  /** How many lanes can continue now. */
  public int ready() {
    return ready.size();
  }

  private Optional<Turn.Drop<A>> enqueue(BufferedFire<A> work, boolean collapses) {
    ScheduleLane<A> lane = lanes.computeIfAbsent(work.lane(), id -> new ScheduleLane<>());
    boolean wasEmpty = lane.queue().isEmpty();
    Optional<BufferedFire<A>> older = collapses ? lane.candidate() : Optional.empty();
    if (older.isPresent()) {
      withdraw(lane);
      lane.queue().remove(older.get());
      older.get().source().taken(older.get().bytes());
      work.standFor(older.get());
    }
    lane.queue().addLast(work);
    if (collapses) {
      lane.candidate(Optional.of(work));
    }
    if (wasEmpty || older.isPresent()) {
      place(work.lane(), lane);
    }
    return older.map(
        replaced ->
            new Turn.Drop<>(
                replaced,
                DropReason.COLLAPSED,
                "the fire for " + work.fire().getOccurrence() + " runs in its place"));
  }

  /** Takes a lane out of the order, because its first fire may change. */
  private void withdraw(ScheduleLane<A> lane) {
    if (!lane.queue().isEmpty()) {
      ready.remove(lane);
      delayed.remove(lane);
      held.computeIfPresent(
          lane.queue().getFirst().source(),
          (source, waiting) -> waiting.remove(lane) && waiting.isEmpty() ? null : waiting);
    }
  }

  /** Puts a lane into its place in the order, unless one of its fires has its turn. */
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
      held.computeIfAbsent(lane.queue().getFirst().source(), source -> new HashSet<>()).add(lane);
    } else if (lane.notBefore().equals(Instant.MIN)) {
      ready.add(lane);
    } else {
      delayed.add(lane);
    }
  }

  private void release(AssignedPartition source) {
    Set<ScheduleLane<A>> waiting = held.remove(source);
    if (waiting != null) {
      waiting.forEach(lane -> place(lane.queue().getFirst().lane(), lane));
    }
  }

  private ScheduleLane<A> lane(BufferedFire<A> work) {
    ScheduleLane<A> lane = lanes.get(work.lane());
    if (lane == null || lane.turn().filter(turn -> turn == work).isEmpty()) {
      throw new IllegalStateException(work.fire().getFireId() + " does not have its turn");
    }
    return lane;
  }
}
