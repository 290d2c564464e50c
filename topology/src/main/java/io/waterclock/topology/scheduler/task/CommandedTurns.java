package io.waterclock.topology.scheduler.task;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.apply.Applier;
import io.waterclock.topology.scheduler.apply.CommandedLanes;
import io.waterclock.topology.scheduler.apply.DecisionEncoder;
import io.waterclock.topology.scheduler.apply.EncodedDecision;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.model.Event;
import io.waterclock.topology.scheduler.model.ScheduleState;
import io.waterclock.topology.scheduler.store.States;
import java.time.Instant;
import java.util.Optional;

/**
 * Fires the manual fires and backfills of commands, round robin: manual fires right after the live
 * lane, backfills last and at a bounded rate.
 */
final class CommandedTurns {
  private final CommandedLanes lanes;
  private final States states;
  private final DecisionEncoder encoder;
  private final Applier applier;
  private final int chunk;
  private final RateLimit rateLimit;

  CommandedTurns(TaskContext task) {
    this.lanes = task.queues().commanded();
    this.states = task.states();
    this.encoder = task.encoder();
    this.applier = task.applier();
    this.chunk = task.settings().pace().catchUpChunk();
    this.rateLimit = new RateLimit(task.settings().pace().backfillRate());
  }

  /** One turn at least. */
  void fireManual(Instant now, TickBudget budget) {
    boolean spent;
    do {
      Optional<ScheduleId> id = lanes.takeManual();
      if (id.isEmpty()) {
        return;
      }
      int fired = turn(id.get(), new Event.ManualDue(chunk), now);
      spent = spend(fired, budget);
    } while (!spent);
  }

  /** One turn at least, if the rate allows it. */
  void backfill(Instant now, TickBudget budget) {
    rateLimit.grow(now);
    boolean spent;
    do {
      int limit = Math.min(chunk, rateLimit.left());
      Optional<ScheduleId> id = limit == 0 ? Optional.empty() : lanes.takeBackfill();
      if (id.isEmpty()) {
        return;
      }
      int fired = turn(id.get(), new Event.BackfillDue(limit), now);
      rateLimit.use(fired);
      spent = spend(fired, budget);
    } while (!spent);
  }

  /** Each fire counts as a decision. */
  private static boolean spend(int fired, TickBudget budget) {
    boolean spent = budget.isSpent();
    for (int i = 1; i < fired && !spent; i++) {
      spent = budget.isSpent();
    }
    return spent;
  }

  /**
   * @return the number of fires
   */
  private int turn(ScheduleId id, Event event, Instant now) {
    Optional<ScheduleState> before = states.load(id, applier.position());
    if (before.isEmpty()) {
      return 0;
    }
    EncodedDecision encoded = encoder.orFault(before.get(), event, now);
    applier.emit(encoded);
    applier.settle(before, encoded);
    return encoded.decision().fires().size();
  }
}
