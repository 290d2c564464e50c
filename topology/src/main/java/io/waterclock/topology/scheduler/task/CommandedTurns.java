package io.waterclock.topology.scheduler.task;

import io.waterclock.decide.model.Accepted;
import io.waterclock.decide.model.Event;
import io.waterclock.decide.model.ScheduleState;
import io.waterclock.schemas.ScheduleId;
import io.waterclock.topology.scheduler.apply.CommandedLanes;
import io.waterclock.topology.scheduler.apply.EncodedDecision;
import io.waterclock.topology.scheduler.apply.TaskContext;
import io.waterclock.topology.scheduler.count.Lane;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/**
 * Fires the manual fires and backfills of commands, round robin: manual fires right after the live
 * lane, backfills last and at a bounded rate. One whose fires must wait is passed over; a round of
 * such ends the turns.
 */
final class CommandedTurns {
  private final TaskContext task;
  private final FireRates rates;

  /** Bounds the fires of a turn in bytes. */
  private final long enoughBytes;

  private final RateLimit rateLimit;

  CommandedTurns(TaskContext task, FireRates rates) {
    this.task = task;
    this.rates = rates;
    this.enoughBytes = Math.min(1 << 20, task.settings().limits().fireBytes().large());
    this.rateLimit = new RateLimit(task.settings().pace().backfillRate());
  }

  /** One turn at least. */
  void fireManual(Instant now, TickBudget budget) {
    CommandedLanes lanes = task.queues().commanded();
    int passed = 0;
    boolean spent = false;
    while (!spent && passed < Math.min(Tick.MOST_PASSED, lanes.manualSize())) {
      ScheduleId id = lanes.nextManual().orElseThrow();
      if (rates.stillWaits(id, Lane.MANUAL)) {
        passed++;
      } else {
        int fired = turn(id, Lane.MANUAL, this::oldestFires, now);
        passed = fired == 0 ? passed + 1 : 0;
        spent = spend(fired, budget);
      }
    }
  }

  /** One turn at least, if the rate allows it. */
  void backfill(Instant now, TickBudget budget) {
    rateLimit.grow(now);
    CommandedLanes lanes = task.queues().commanded();
    int passed = 0;
    boolean spent = false;
    while (!spent
        && rateLimit.left() > 0
        && passed < Math.min(Tick.MOST_PASSED, lanes.backfillsSize())) {
      ScheduleId id = lanes.nextBackfill().orElseThrow();
      if (rates.stillWaits(id, Lane.BACKFILL)) {
        passed++;
      } else {
        int limit = Math.min(task.settings().pace().catchUpChunk(), rateLimit.left());
        int fired = turn(id, Lane.BACKFILL, state -> nextOfBackfill(state, limit), now);
        rateLimit.use(fired);
        passed = fired == 0 ? passed + 1 : 0;
        spent = spend(fired, budget);
      }
    }
  }

  private Event oldestFires(ScheduleState state) {
    int most = task.settings().pace().catchUpChunk();
    return new Event.ManualDue(task.stores().progress().fires(state, most, enoughBytes));
  }

  /** As many fires as a turn may have, in number and in bytes. */
  private Event nextOfBackfill(ScheduleState state, int limit) {
    Optional<Accepted> under = task.stores().progress().underOfBackfill(state);
    long size = under.orElse(state.current()).snapshot().body().length;
    return new Event.BackfillDue((int) Math.max(1, Math.min(limit, enoughBytes / size)), under);
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
  private int turn(ScheduleId id, Lane lane, Function<ScheduleState, Event> next, Instant now) {
    Optional<ScheduleState> before = task.load(id);
    if (before.isEmpty()) {
      task.queues().commanded().remove(id);
      return 0;
    }
    Event event = next.apply(before.get());
    FireRates.Share share = rates.of(id, largest(event, before.get().current()));
    if (rates.mustWait(id, share, lane)) {
      return 0;
    }
    EncodedDecision encoded = task.encoder().orFault(before.get(), event, now);
    task.applier().emit(encoded);
    rates.sent(encoded, share);
    task.applier().settle(before, encoded);
    return encoded.decision().fires().size();
  }

  /** About the size of the largest fire of a turn, in bytes. */
  private static long largest(Event event, Accepted inForce) {
    return event instanceof Event.BackfillDue backfill
        ? backfill.under().orElse(inForce).snapshot().body().length
        : ((Event.ManualDue) event)
            .fires().stream().mapToInt(fire -> fire.size(inForce)).max().orElse(0);
  }
}
