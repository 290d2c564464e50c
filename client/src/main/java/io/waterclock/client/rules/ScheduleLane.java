package io.waterclock.client.rules;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Optional;
import java.util.stream.Stream;

/** The fires of one schedule. They run one after another. */
final class ScheduleLane<A> {
  /** Lower priority number first, then in the order of arrival. */
  static final Comparator<ScheduleLane<?>> BY_PRIORITY =
      Comparator.<ScheduleLane<?>>comparingInt(lane -> lane.priority)
          .thenComparingLong(lane -> lane.sequence);

  static final Comparator<ScheduleLane<?>> BY_TIME =
      Comparator.<ScheduleLane<?>, Instant>comparing(lane -> lane.notBefore)
          .thenComparingLong(lane -> lane.sequence);

  private final Deque<BufferedFire<A>> queue = new ArrayDeque<>();
  private Optional<BufferedFire<A>> turn = Optional.empty();
  private Optional<BufferedFire<A>> candidate = Optional.empty();
  private Instant notBefore = Instant.MIN;
  private int priority;
  private long sequence;
  private Optional<String> queueName = Optional.empty();

  Deque<BufferedFire<A>> queue() {
    return queue;
  }

  /** The waiting fires of a partition. */
  Stream<BufferedFire<A>> waiting(AssignedPartition source) {
    return queue.stream().filter(work -> work.source() == source);
  }

  Optional<BufferedFire<A>> turn() {
    return turn;
  }

  /** The newest waiting fire that runs for the backlog, unless the worker reads a newer one. */
  Optional<BufferedFire<A>> candidate() {
    return candidate;
  }

  void candidate(Optional<BufferedFire<A>> work) {
    candidate = work;
  }

  Instant notBefore() {
    return notBefore;
  }

  boolean isHeld() {
    BufferedFire<A> head = queue.getFirst();
    return candidate.filter(work -> work == head).isPresent() && head.source().isHolding();
  }

  /** Sets the order of the lane. The lane must not be in a sorted set meanwhile. */
  void rank() {
    BufferedFire<A> head = queue.getFirst();
    priority = head.priority();
    sequence = head.sequence();
    queueName = head.queueName();
  }

  /** The queue of its first fire at the last call of {@link #rank}. */
  Optional<String> queueName() {
    return queueName;
  }

  BufferedFire<A> take() {
    BufferedFire<A> work = queue.removeFirst();
    turn = Optional.of(work);
    candidate = candidate.filter(newest -> newest != work);
    notBefore = Instant.MIN;
    return work;
  }

  /** True if the first waiting fire waits for a retry. */
  boolean isBetweenAttempts() {
    return !queue.isEmpty() && queue.getFirst().attemptOfRun() > 0;
  }

  /** Removes the first waiting fire: this worker makes no further attempt. */
  BufferedFire<A> forgetFirst() {
    notBefore = Instant.MIN;
    return queue.removeFirst();
  }

  /** Removes the waiting fires of a partition: this worker runs none of them. */
  void forget(AssignedPartition source) {
    waiting(source).forEach(BufferedFire::end);
    queue.removeIf(BufferedFire::isEnded);
    candidate = candidate.filter(work -> !work.isEnded());
  }

  void turnOver() {
    turn = Optional.empty();
  }

  /** Gives the lane's next turn to the same fire, from {@code at} on. */
  void again(BufferedFire<A> work, Instant at) {
    turn = Optional.empty();
    queue.addFirst(work);
    notBefore = at;
  }
}
