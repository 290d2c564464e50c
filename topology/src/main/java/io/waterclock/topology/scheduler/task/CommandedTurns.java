package io.waterclock.topology.scheduler.task;

import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.apply.EncodedDecision;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.model.Event;
import io.waterclock.topology.scheduler.model.ScheduleState;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/**
 * Fires the manual fires and backfills of commands, round robin: manual fires right after the live
 * lane, backfills last and at a bounded rate.
 */
final class CommandedTurns {
  /** Bounds the fires of a turn in bytes. */
  private static final long ENOUGH_BYTES = 1L << 20;

  private final TaskContext task;
  private final RateLimit rateLimit;

  CommandedTurns(TaskContext task) {
    this.task = task;
    this.rateLimit = new RateLimit(task.settings().pace().backfillRate());
  }

  /** One turn at least. */
  void fireManual(Instant now, TickBudget budget) {
    boolean spent;
    do {
      Optional<ScheduleId> id = task.queues().commanded().takeManual();
      if (id.isEmpty()) {
        return;
      }
      int fired = turn(id.get(), this::oldestFires, now);
      spent = spend(fired, budget);
    } while (!spent);
  }

  /** One turn at least, if the rate allows it. */
  void backfill(Instant now, TickBudget budget) {
    rateLimit.grow(now);
    boolean spent;
    do {
      int limit = Math.min(task.settings().pace().catchUpChunk(), rateLimit.left());
      Optional<ScheduleId> id =
          limit == 0 ? Optional.empty() : task.queues().commanded().takeBackfill();
      if (id.isEmpty()) {
        return;
      }
      int fired = turn(id.get(), state -> new Event.BackfillDue(Math.min(limit, enough(state))), now);
      rateLimit.use(fired);
      spent = spend(fired, budget);
    } while (!spent);
  }

  private Event oldestFires(ScheduleState state) {
    int most = task.settings().pace().catchUpChunk();
    return new Event.ManualDue(task.stores().progress().fires(state, most, ENOUGH_BYTES));
  }

  /** How many fires of the definition in force a turn may have. */
  private static int enough(ScheduleState state) {
    return (int) Math.max(1, ENOUGH_BYTES / state.current().snapshot().body().length);
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
  private int turn(ScheduleId id, Function<ScheduleState, Event> event, Instant now) {
    Optional<ScheduleState> before = task.load(id);
    if (before.isEmpty()) {
      return 0;
    }
    EncodedDecision encoded = task.encoder().orFault(before.get(), event.apply(before.get()), now);
    task.applier().emit(encoded);
    task.applier().settle(before, encoded);
    return encoded.decision().fires().size();
  }
}
