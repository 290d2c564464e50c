package io.waterclock.client.worker;

import io.waterclock.client.payload.Payloads;
import io.waterclock.client.rules.AssignedPartition;
import io.waterclock.client.rules.Backlog;
import io.waterclock.client.rules.BufferedFire;
import io.waterclock.client.rules.FireBuffer;
import io.waterclock.client.rules.RetryDecision;
import io.waterclock.client.rules.Turn;
import io.waterclock.client.rules.Turns;
import io.waterclock.client.rules.UnfinishedRecord;
import io.waterclock.schemas.avro.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The work queue between the thread that reads fires and the threads that run them: the state of
 * the rules, under one lock. Thread-safe. No code waits for I/O while it holds the lock.
 */
final class WorkQueue {
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);
  private static final int TRIES = 200;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ready = lock.newCondition();
  private final Condition room = lock.newCondition();
  private final Condition ended = lock.newCondition();
  private final Condition alarm = lock.newCondition();
  private final FireBuffer<HandledRecord> buffer;
  private final Turns<HandledRecord> turns;
  private final WorkerMemory memory;
  private final Payloads payloads;
  private final BiConsumer<String, Optional<Schedule>> definitions;
  private final BooleanSupplier isHeldUp;
  private final InstantSource clock;
  private int idle;
  private boolean waitingForRoom;
  private boolean stopped;
  private Instant watchdogWakes = Instant.MAX;

  /**
   * @param definitions writes what handlers define and delete; called without the lock
   * @param isHeldUp true while no turn begins, and every partition counts as full, because too much
   *     of what has ended is not written yet; called with the lock. A {@link #settle} follows when
   *     it becomes false
   */
  WorkQueue(
      FireBuffer<HandledRecord> buffer,
      Turns<HandledRecord> turns,
      WorkerMemory memory,
      Payloads payloads,
      BiConsumer<String, Optional<Schedule>> definitions,
      BooleanSupplier isHeldUp,
      InstantSource clock) {
    this.buffer = buffer;
    this.turns = turns;
    this.memory = memory;
    this.payloads = payloads;
    this.definitions = definitions;
    this.isHeldUp = isHeldUp;
    this.clock = clock;
  }

  AssignedPartition open(Backlog backlog, long position) {
    return locked(() -> buffer.open(backlog, position));
  }

  /**
   * Adds fires of one partition, in order.
   *
   * @return the fires that do not run because of them
   */
  List<Turn.Drop<HandledRecord>> add(List<BufferedFire<HandledRecord>> fires) {
    List<Turn.Drop<HandledRecord>> left = new ArrayList<>();
    locked(
        () -> {
          fires.forEach(fire -> buffer.add(fire).ifPresent(left::add));
          wake();
        });
    return left;
  }

  UnfinishedRecord mark(AssignedPartition source, long offset) {
    return locked(() -> source.mark(offset));
  }

  void passed(AssignedPartition source, long offset) {
    locked(
        () -> {
          buffer.passed(source, offset);
          wake();
        });
  }

  boolean isCrowded(AssignedPartition source) {
    return locked(() -> hasNoRoom(source));
  }

  private boolean hasNoRoom(AssignedPartition source) {
    return isHeldUp.getAsBoolean() || source.isCrowded();
  }

  /** Waits until one of the partitions has room, or until the time has passed. */
  void awaitRoom(Collection<AssignedPartition> sources, Duration atMost)
      throws InterruptedException {
    acquire();
    try {
      waitingForRoom = true;
      await(room, () -> stopped || !sources.stream().allMatch(this::hasNoRoom), atMost);
    } finally {
      waitingForRoom = false;
      lock.unlock();
    }
  }

  /** The offset to commit, and the unfinished part of the backlog. */
  record Progress(long committable, Backlog backlog) {}

  Progress progress(AssignedPartition source) {
    return locked(() -> new Progress(source.committable(), source.backlog()));
  }

  /** How many fires wait for a thread, or for a retry. */
  int waiting() {
    return locked(buffer::waiting);
  }

  /** Waits for the next turn. Empty once the work queue is stopped. */
  Optional<Turn<HandledRecord>> take() {
    return locked(() -> next());
  }

  /**
   * Ends the turn of a fire that was dropped or has succeeded, and waits for the next turn.
   *
   * @param isSettled true if the fire is finished
   */
  Optional<Turn<HandledRecord>> doneAndTake(BufferedFire<HandledRecord> work, boolean isSettled) {
    return locked(
        () -> {
          done(work, isSettled);
          return next();
        });
  }

  /** Ends the turn of a fire that was dropped or has succeeded. */
  void done(BufferedFire<HandledRecord> work, boolean isSettled) {
    locked(
        () -> {
          turns.done(work);
          if (isSettled) {
            work.mark().settle();
          }
          ended.signalAll();
          wake();
        });
  }

  /** Ends the turn of a fire that waits in the line of its schedule, or never will. */
  void joined(BufferedFire<HandledRecord> work) {
    locked(
        () -> {
          turns.joined(work);
          ended.signalAll();
          wake();
        });
  }

  private Optional<Turn<HandledRecord>> next() {
    while (!stopped) {
      Instant now = clock.instant();
      boolean waits = isHeldUp.getAsBoolean();
      Optional<Turn<HandledRecord>> turn = waits ? Optional.empty() : turns.next(now);
      if (turn.isPresent()) {
        begin(turn.get());
        return turn;
      }
      idle++;
      awaitUntil(ready, now, waits ? Optional.empty() : buffer.nextAttempt());
      idle--;
    }
    return Optional.empty();
  }

  private void begin(Turn<HandledRecord> turn) {
    if (turn instanceof Turn.Run<HandledRecord> run) {
      BufferedFire<HandledRecord> work = run.work();
      HandledRecord in = work.attachment();
      in.run(
          Optional.of(
              new ActiveRun(
                  work, in.record(), Thread.currentThread(), memory, payloads, definitions)));
      if (turns.nextAlarm().filter(at -> at.isBefore(watchdogWakes)).isPresent()) {
        alarm.signal();
      }
    }
    if (waitingForRoom && !turn.work().source().isCrowded()) {
      room.signal();
    }
    if (idle > 0 && buffer.ready() > 0) {
      ready.signal();
    }
  }

  /** One more {@link #settle} must come before the record is finished. */
  void hold(UnfinishedRecord mark) {
    locked(mark::hold);
  }

  void settle(UnfinishedRecord mark) {
    locked(
        () -> {
          mark.settle();
          ended.signalAll();
          wake();
        });
  }

  /**
   * Records a failed attempt.
   *
   * @param isFinal true if the handler asks for no further attempt
   * @return empty if the worker has abandoned the attempt
   */
  Optional<RetryDecision> failed(BufferedFire<HandledRecord> work, boolean isFinal) {
    return locked(
        () -> {
          work.attachment().run(Optional.empty());
          Optional<RetryDecision> ending = turns.failed(work, isFinal, clock.instant());
          ended.signalAll();
          wake();
          return ending;
        });
  }

  /** A fire that has failed does not wait for a retry, although it was to. */
  void doesNotWait(BufferedFire<HandledRecord> work) {
    locked(() -> turns.doesNotWait(work));
  }

  /** Begins to hand a partition back, and returns its fires that run or will still run. */
  private List<BufferedFire<HandledRecord>> drain(AssignedPartition source, Duration patience) {
    return locked(
        () -> {
          wake();
          return turns.drain(source, clock.instant().plus(patience));
        });
  }

  /**
   * Waits until everything before this offset and at it is finished, until the time has passed, or
   * until the work queue is stopped.
   *
   * @return true if it is finished
   */
  boolean awaitFinished(AssignedPartition source, long offset, Duration atMost)
      throws InterruptedException {
    acquire();
    try {
      await(ended, () -> stopped || source.committable() > offset, atMost);
      return source.committable() > offset;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until all of these have ended, or until the time has passed. */
  private void awaitEnd(Collection<BufferedFire<HandledRecord>> works, Duration atMost)
      throws InterruptedException {
    acquire();
    try {
      await(ended, () -> works.stream().allMatch(BufferedFire::isEnded), atMost);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Hands partitions back: lets their running fires end, cancels them after the patience, and waits
   * a little for the cancelled ones.
   */
  void handBack(Collection<AssignedPartition> sources, Duration patience, Duration afterwards)
      throws InterruptedException {
    awaitEnd(inHand(sources, source -> drain(source, patience)), patience);
    awaitEnd(giveUp(sources), afterwards);
  }

  /** Hands partitions back at once, and returns the fires that it has cancelled. */
  List<BufferedFire<HandledRecord>> giveUp(Collection<AssignedPartition> sources) {
    List<BufferedFire<HandledRecord>> running =
        inHand(sources, source -> locked(() -> turns.close(source)));
    cancel(running);
    return running;
  }

  private static List<BufferedFire<HandledRecord>> inHand(
      Collection<AssignedPartition> sources,
      Function<AssignedPartition, List<BufferedFire<HandledRecord>>> giveBack) {
    return sources.stream().flatMap(source -> giveBack.apply(source).stream()).toList();
  }

  private void cancel(Collection<BufferedFire<HandledRecord>> works) {
    List<ActiveRun> runs = new ArrayList<>();
    locked(
        () -> {
          for (BufferedFire<HandledRecord> work : works) {
            if (!work.isEnded() && !work.isCancelled()) {
              turns.cancel(work, clock.instant());
              work.attachment().run().ifPresent(runs::add);
            }
          }
          alarm.signal();
        });
    runs.forEach(ActiveRun::cancel);
  }

  /** Waits for runs that have passed their deadline, a few seconds at most. */
  List<Turns.Overdue<HandledRecord>> overdue() {
    return locked(
        () -> {
          Instant now = clock.instant();
          List<Turns.Overdue<HandledRecord>> overdue = turns.overdue(now);
          if (!overdue.isEmpty()) {
            return overdue;
          }
          watchdogWakes = turns.nextAlarm().orElse(Instant.MAX);
          awaitUntil(alarm, now, turns.nextAlarm());
          return turns.overdue(clock.instant());
        });
  }

  void stop() {
    locked(
        () -> {
          stopped = true;
          ready.signalAll();
          room.signalAll();
          ended.signalAll();
        });
  }

  /** Makes {@link #overdue} return soon. */
  void wakeWatchdog() {
    locked(() -> alarm.signalAll());
  }

  private void wake() {
    for (int i = Math.min(idle, buffer.ready()); i > 0; i--) {
      ready.signal();
    }
    if (idle > 0 && buffer.ready() == 0 && buffer.nextAttempt().isPresent()) {
      ready.signal();
    }
  }

  /**
   * A thread holds the lock for about a microsecond, so to retry briefly costs less than to park.
   * With eight threads on two cores and empty handlers, a worker is a quarter faster this way.
   */
  private void acquire() {
    for (int tries = 0; tries < TRIES; tries++) {
      if (lock.tryLock()) {
        return;
      }
      Thread.onSpinWait();
    }
    lock.lock();
  }

  private <T> T locked(Supplier<T> action) {
    acquire();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }

  private void locked(Runnable action) {
    var unused =
        locked(
            () -> {
              action.run();
              return Optional.empty();
            });
  }

  private static void await(Condition condition, BooleanSupplier isMet, Duration atMost)
      throws InterruptedException {
    long left = atMost.toNanos();
    while (left > 0 && !isMet.getAsBoolean()) {
      left = condition.awaitNanos(left);
    }
  }

  /** May return early; callers check again. */
  @SuppressWarnings("WaitNotInLoop")
  private void awaitUntil(Condition condition, Instant now, Optional<Instant> at) {
    Duration wait =
        at.map(instant -> Duration.between(now, instant))
            .filter(until -> until.compareTo(LONGEST_WAIT) < 0)
            .orElse(LONGEST_WAIT);
    try {
      condition.awaitNanos(Math.max(1, wait.toNanos()));
    } catch (InterruptedException e) {
      // the interrupt was for a handler that has just ended
      Thread.interrupted();
    }
  }
}
