package io.waterclock.topology.stream;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.decide.Decider;
import io.waterclock.topology.decide.Decision;
import io.waterclock.topology.decide.Event;
import io.waterclock.topology.decide.ScheduleState;
import io.waterclock.topology.state.DueQueue;
import io.waterclock.topology.state.Position;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what is due: first the live lane in the order of (due, id), then the catch-up lane, round
 * robin, with what the budget leaves.
 *
 * <p>With nothing due a tick looks at the head of each lane and is done.
 */
final class Tick {
  private static final Logger LOG = LoggerFactory.getLogger(Tick.class);
  private static final Event DUE = new Event.Due();

  private final Decider decider;
  private final States states;
  private final DueQueue queue;
  private final Applier applier;
  private final TickBudget budget;
  private final int chunk;
  private final Counts counts;
  private boolean drained;

  Tick(
      Settings.Pace pace,
      Decider decider,
      States states,
      DueQueue queue,
      Applier applier,
      Counts counts) {
    this.decider = decider;
    this.states = states;
    this.queue = queue;
    this.applier = applier;
    this.budget = new TickBudget(pace.tickBudget());
    this.chunk = pace.catchUpChunk();
    this.counts = counts;
  }

  /** True when the last tick left nothing due in the live lane. */
  boolean isDrained() {
    return drained;
  }

  void run(Instant now) {
    applier.beginTick();
    budget.start();
    runLive(now);
    if (drained) {
      applier.advance(Position.throughAllAt(now.toEpochMilli()));
    }
    runCatchUp(now);
    applier.endTick(now);
  }

  private void runLive(Instant now) {
    long nowMs = now.toEpochMilli();
    drained = false;
    while (!budget.isSpent()) {
      Optional<DueQueue.Entry> first = queue.firstLive();
      if (first.isEmpty() || first.get().dueMs() > nowMs) {
        drained = true;
        return;
      }
      decideLive(first.get(), now);
    }
  }

  private void decideLive(DueQueue.Entry entry, Instant now) {
    Position reached = new Position(entry.dueMs(), entry.id());
    boolean wasInStep = !entry.hasOwnProgress();
    ScheduleId id = ScheduleId.ofUtf8(entry.id());
    Optional<ScheduleState> before = states.load(id, applier.position(), !wasInStep);
    applier.advance(reached);
    if (before.isEmpty()) {
      queue.remove(entry.id());
      return;
    }
    Decision decision;
    try {
      decision = decider.decide(id, before, DUE, now);
      applier.emit(id, decision, now);
    } catch (RuntimeException e) {
      park(before.get(), e, now);
      return;
    }
    if (wasInStep && isOneFire(decision)) {
      applier.settleInStep(entry.id(), decision.next().get());
    } else {
      applier.settle(id, before, decision);
    }
  }

  /** The ordinary case: the occurrence at the position was fired, nothing else changed. */
  private static boolean isOneFire(Decision decision) {
    return decision.fires().size() == 1
        && decision.missed().isEmpty()
        && decision.status().isEmpty()
        && decision.state().orElseThrow().isPlain()
        && decision.next().isPresent();
  }

  private void runCatchUp(Instant now) {
    do {
      Optional<DueQueue.Entry> first = queue.firstCatchUp();
      if (first.isEmpty()) {
        return;
      }
      catchUp(first.get(), now);
    } while (!budget.isSpent());
  }

  /** One schedule's turn: a chunk of decisions, then to the end of the lane or out of it. */
  private void catchUp(DueQueue.Entry entry, Instant now) {
    ScheduleId id = ScheduleId.ofUtf8(entry.id());
    Optional<ScheduleState> before = states.load(id, applier.position());
    if (before.isEmpty()) {
      queue.remove(entry.id());
      return;
    }
    ScheduleState state = before.get();
    for (int i = 0; i < chunk; i++) {
      Decision decision;
      try {
        decision = decider.decide(id, Optional.of(state), DUE, now);
        applier.emit(id, decision, now);
      } catch (RuntimeException e) {
        park(state, e, now);
        return;
      }
      state = decision.state().orElseThrow();
      boolean isDone = decision.next().isEmpty() || decision.next().get().due().isAfter(now);
      if (isDone || i + 1 == chunk || budget.isSpent()) {
        applier.settle(id, before, decision);
        return;
      }
    }
  }

  private void park(ScheduleState state, RuntimeException failure, Instant now) {
    ScheduleId id = state.id();
    String reason = "deciding or emitting its next occurrence failed: " + failure;
    if (state.fault().isEmpty()) {
      counts.faulted++;
      LOG.error("Parked {} as FAULTED, the walk will try it again", id, failure);
    }
    Decision decision = decider.decide(id, Optional.of(state), new Event.Failed(reason), now);
    applier.apply(id, Optional.of(state), decision, now);
  }
}
