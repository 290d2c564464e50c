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
 * Fires what commands have ordered, round robin: single fires as soon as the live lane has had its
 * turn, backfills last of all and at a bounded rate.
 */
final class CommandedTurns {
  private final CommandedLanes lanes;
  private final States states;
  private final DecisionEncoder encoder;
  private final Applier applier;
  private final int chunk;
  private final RateLimit allowance;

  CommandedTurns(TaskContext task) {
    this.lanes = task.queues().commanded();
    this.states = task.states();
    this.encoder = task.encoder();
    this.applier = task.applier();
    this.chunk = task.settings().pace().catchUpChunk();
    this.allowance = new RateLimit(task.settings().pace().backfillRate());
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
    allowance.grow(now);
    boolean spent;
    do {
      int most = Math.min(chunk, allowance.left());
      Optional<ScheduleId> id = most == 0 ? Optional.empty() : lanes.takeBackfill();
      if (id.isEmpty()) {
        return;
      }
      int fired = turn(id.get(), new Event.BackfillDue(most), now);
      allowance.use(fired);
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
   * @return how much was fired
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
