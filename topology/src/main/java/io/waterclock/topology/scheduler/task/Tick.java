package io.waterclock.topology.scheduler.task;

import io.waterclock.decide.Decision;
import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.Pending;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.apply.Applier;
import io.waterclock.topology.scheduler.apply.CommandedLanes;
import io.waterclock.topology.scheduler.apply.DecisionEncoder;
import io.waterclock.topology.scheduler.apply.EncodedDecision;
import io.waterclock.topology.scheduler.apply.Placement;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.count.Lane;
import io.waterclock.topology.scheduler.store.DueQueue;
import io.waterclock.topology.scheduler.store.Position;
import io.waterclock.topology.scheduler.store.QueueHorizon;
import io.waterclock.topology.scheduler.store.States;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides due occurrences: first the live lane in the order of (due, id), then the manual fires of
 * commands, then the catch-up lane, round robin within the budget that is left, and last the
 * backfills.
 *
 * <p>A schedule whose owner has used up its bytes goes from the live lane to the end of the
 * catch-up lane, so that those behind it do not wait. Delayed records without a name do: those for
 * one instant keep their order.
 *
 * <p>Cost when nothing is due: one look at the head of each lane.
 */
final class Tick {
  /** How many schedules of the catch-up lane a tick reads that must wait, before it rests. */
  private static final int MOST_READ = 64;

  /** How many that still wait a tick passes over, which reads nothing: less than a millisecond. */
  static final int MOST_PASSED = 4_096;

  /** A tick that has postponed definitions of so many bytes ends: it keeps them in memory. */
  private static final long MOST_POSTPONED = 4L << 20;

  private final DecisionEncoder encoder;
  private final States states;
  private final DueQueue queue;
  private final Placement placement;
  private final Applier applier;
  private final CommandedLanes lanes;
  private final CommandedTurns commanded;
  private final TickBudget budget;
  private final QueueHorizon horizon;
  private final QueueLoader loader;
  private final FireRates rates;
  private final int chunk;
  private boolean drained;
  private long postponedBytes;

  /** Decides the occurrences that are due by the input that is read. */
  private Event.Due due = new Event.Due(Instant.MIN);

  Tick(TaskContext task, TickBudget budget, QueueLoader loader) {
    this.encoder = task.encoder();
    this.placement = task.partition().placement();
    this.states = task.partition().states();
    this.queue = placement.queues().due();
    this.applier = task.applier();
    this.budget = budget;
    this.horizon = placement.queues().horizon();
    this.loader = loader;
    this.chunk = task.settings().pace().catchUpChunk();
    this.lanes = placement.queues().commanded();
    this.rates = new FireRates(task);
    this.commanded = new CommandedTurns(task, rates);
  }

  /** True when the last tick left nothing due in the live lane. */
  boolean isDrained() {
    return drained;
  }

  /** How long the task has nothing to decide after the last tick; zero when it has work. */
  Duration idleTime(Instant now) {
    return queue.catchUpSize() > 0 || !lanes.isEmpty() ? Duration.ZERO : untilLive(now);
  }

  /** How long nothing is due in the live lane; zero when something is. */
  private Duration untilLive(Instant now) {
    if (!drained) {
      return Duration.ZERO;
    }
    long firstMs = queue.firstLive().map(DueQueue.Entry::dueMs).orElse(Long.MAX_VALUE);
    long restMs = Math.min(firstMs, loader.nextWorkMs());
    return restMs < now.toEpochMilli()
        ? Duration.ZERO
        : Duration.ofMillis(restMs - now.toEpochMilli());
  }

  /**
   * @param readThrough inclusive: the input that was written up to it is read; what is due later
   *     waits, except up to the position, where other schedules are decided already
   */
  void run(Instant now, Instant readThrough) {
    Instant decided = Instant.ofEpochMilli(placement.position().throughMs());
    Instant through = readThrough.isBefore(decided) ? decided : readThrough;
    due = new Event.Due(through.isBefore(now) ? through : now);
    budget.start();
    rates.grow(now);
    loader.loadDue(now);
    applier.beginTick(now);
    runLive(now);
    commanded.fireManual(now, budget);
    boolean isBehind = readThrough.isBefore(now);
    budget.startCatchUp(untilLive(now), isBehind);
    // the position has not decided what is out of step
    due = new Event.Due(isBehind ? readThrough : now);
    runCatchUp(now);
    commanded.backfill(now, budget);
    budget.endCatchUp();
    applier.endTick();
  }

  private void runLive(Instant now) {
    long throughMs = due.through().toEpochMilli();
    Position through = Position.throughAllAt(throughMs).min(horizon.loaded());
    drained = false;
    postponedBytes = 0;
    states.expectAscending(true);
    try {
      while (postponedBytes < MOST_POSTPONED && !budget.isSpent()) {
        Optional<DueQueue.Entry> first = queue.firstLive();
        if (first.isEmpty() || !through.covers(first.get().dueMs(), first.get().id())) {
          placement.advance(through);
          drained = horizon.loadedMs() > throughMs;
          return;
        }
        decideLive(first.get(), now);
      }
    } finally {
      states.expectAscending(false);
    }
  }

  private void decideLive(DueQueue.Entry entry, Instant now) {
    Position reached = new Position(entry.dueMs(), entry.id());
    boolean wasInStep = !entry.hasOwnProgress();
    ScheduleId id = ScheduleId.ofUtf8(entry.id());
    Optional<ScheduleState> before = states.load(id, placement.position(), !wasInStep);
    placement.advance(reached);
    if (before.isEmpty()) {
      placement.drop(entry);
      return;
    }
    FireRates.Share share = rates.of(before.get());
    Optional<Pending> pending =
        rates.mustWait(id, share, Lane.CATCH_UP) || isBehindUnnamed(entry)
            ? encoder.pending(before.get())
            : Optional.empty();
    if (pending.isPresent()) {
      placement.postpone(entry, before.get(), pending.get());
      postponedBytes += before.get().head().snapshot().body().length;
      return;
    }
    EncodedDecision encoded = encoder.orFault(before.get(), due, now);
    applier.emit(encoded);
    rates.sent(encoded, share);
    if (wasInStep && isOneFire(encoded.decision())) {
      placement.fired(entry, id, encoded.decision().pending());
    } else {
      applier.settle(before, encoded);
    }
  }

  /** True in the common case: the occurrence at the position fired, and nothing else changed. */
  private static boolean isOneFire(Decision decision) {
    return decision.fires().size() == 1
        && decision.missed().isEmpty()
        && decision.status().isEmpty()
        && decision.state().orElseThrow().isPlain();
  }

  private boolean isBehindUnnamed(DueQueue.Entry entry) {
    return queue.isBehindUnnamed(entry, placement.position());
  }

  private void runCatchUp(Instant now) {
    int read = 0;
    int passed = 0;
    long throughMs = due.through().toEpochMilli();
    do {
      Optional<DueQueue.Entry> first = queue.firstCatchUp(throughMs);
      if (first.isEmpty()) {
        return;
      }
      ScheduleId id = ScheduleId.ofUtf8(first.get().id());
      if (rates.stillWaits(id, Lane.CATCH_UP) || isBehindUnnamed(first.get())) {
        queue.passCatchUp();
        passed++;
      } else {
        read += catchUp(first.get(), id, now) ? 0 : 1;
      }
    } while (!budget.isSpent()
        && read < MOST_READ
        && read + passed < Math.min(MOST_PASSED, queue.catchUpTurns()));
  }

  /**
   * One turn of a schedule: a chunk of decisions; then it leaves the lane or joins its end.
   *
   * @return false when its fires must wait
   */
  private boolean catchUp(DueQueue.Entry entry, ScheduleId id, Instant now) {
    Optional<ScheduleState> before = states.load(id, placement.position());
    if (before.isEmpty()) {
      placement.drop(entry);
      return true;
    }
    ScheduleState state = before.get();
    FireRates.Share share = rates.of(state);
    if (rates.mustWait(id, share, Lane.CATCH_UP)) {
      queue.passCatchUp();
      return false;
    }
    for (int decided = 1; ; decided++) {
      EncodedDecision encoded = encoder.orFault(state, due, now);
      applier.emit(encoded);
      rates.sent(encoded, share);
      Decision decision = encoded.decision();
      state = decision.state().orElseThrow();
      share = rates.of(state);
      boolean isDone =
          decision.pending().isEmpty() || decision.pending().get().due().isAfter(due.through());
      if (isDone
          || decided == chunk
          || budget.isSpent()
          || rates.mustWait(id, share, Lane.CATCH_UP)) {
        applier.settle(before, encoded);
        return true;
      }
    }
  }
}
